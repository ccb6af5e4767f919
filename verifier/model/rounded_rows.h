// The matrices of probabilities that agree with a printed matrix up to rounding.
//
// For a printed matrix P and a tolerance t these are the matrices Q with
//
//   Q[x][y] >= 0,   sum over y of Q[x][y] = 1,   |Q[x][y] - P[x][y]| <= t.
//
// An entry that is printed as 0 is between 0 and t; with exact zeros it is 0. Rows are free of each other.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "verifier/exact/number.h"

namespace oddsbound::model {

/// For every entry the least and the largest value over the set. In one column the entries take all values within
/// these bounds at once, because rows are free of each other.
struct RoundedRows {
  Number tolerance;
  bool exact_zeros = false;
  std::vector<std::vector<Number>> least;
  std::vector<std::vector<Number>> most;

  /// Adds a printed row. Returns false, and adds nothing, if no row of the set agrees with it.
  bool add(std::span<const Number> printed);
  /// Returns one matrix of the set.
  std::vector<std::vector<Number>> member() const;
};

/// Returns the smallest tolerance with which some row of probabilities agrees with the printed one; nullopt if there is
/// none.
std::optional<Number> smallest_tolerance(std::span<const Number> printed, bool exact_zeros);

}  // namespace oddsbound::model
