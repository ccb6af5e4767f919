// Levels of ordered pairs of inputs: a matrix, a level per unit of a distance, or the smaller of two inputs' levels.
// Only a matrix is held; levels of the other forms are computed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/budget.h"
#include "verifier/exact/scaled_level.h"
#include "verifier/model/distance.h"
#include "verifier/model/domain.h"

namespace oddsbound::model {

class PairLevels {
 public:
  /// [from][to], row after row.
  struct Matrix {
    std::vector<ScaledLevel> levels;
  };
  /// `unit` times the distance; inputs without a distance are not constrained. The unit is finite and has no root.
  struct ByDistance {
    Distance distance;
    Level unit;
  };
  /// The smaller of the levels of the two inputs, none of which has a root.
  struct LeastOf {
    std::vector<Level> levels;  // by input
  };
  using Form = std::variant<Matrix, ByDistance, LeastOf>;

  /// written: the levels as JSON, with numbers evaluated.
  PairLevels(Domain domain, Form form, std::string written);

  const Form& form() const { return form_; }
  const Domain& domain() const { return domain_; }
  const std::string& written() const { return written_; }
  bool is_matrix() const { return std::holds_alternative<Matrix>(form_); }
  /// True if no smaller levels can be stated: the unit, or each input's level, is 0. Not for a matrix.
  bool are_zero() const;
  /// Returns the level of the pair; infinite if it is not constrained. from != to.
  ScaledLevel at(std::uint64_t from, std::uint64_t to) const;
  /// True if some level is not known to be a Level, or if inputs are too many to see whether it is.
  bool has_roots() const { return roots_; }

 private:
  bool finds_roots() const;

  Domain domain_;
  Form form_;
  std::string written_;
  bool roots_ = false;
};

/// Constrained pairs of inputs, with the distinct levels.
struct BoundedPairs {
  struct Pair {
    std::uint32_t from, to, bound;
    friend bool operator==(const Pair&, const Pair&) = default;
  };
  std::vector<Pair> pairs;
  std::vector<ScaledLevel> bounds;
  friend bool operator==(const BoundedPairs&, const BoundedPairs&) = default;
};

/// Returns pairs whose levels imply all others: if each of them holds, every pair does; and a pair attains its level if
/// and only if one of these does, or no level is positive. Where the distance is a sum of steps these are the steps,
/// otherwise all constrained pairs. Throws LimitError past the budget.
BoundedPairs sufficient_pairs(const PairLevels& levels, Budget& budget);

}  // namespace oddsbound::model
