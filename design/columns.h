// Design by extreme columns. If limits compare probabilities output by output, the column of an output, P(y given
// x) for all x, lies in a cone, and a mechanism is any choice of columns in it that sum to 1. An objective that is
// a sum over outputs, convex and homogeneous in the column, is largest for extreme rays of the cone: any other
// column splits into these without loss (Kairouz, Oh and Viswanath 2016, Theorem 2, for LDP, where extreme columns
// have two values). Extreme rays can be exponentially many; extreme_columns() limits them.
#pragma once

#include <vector>

#include "base/budget.h"
#include "design/limits.h"
#include "verifier/linear/basis.h"

namespace oddsbound::designs {

using Column = std::vector<Number>;  // by row of the mechanism

/// Returns for every limit and pair of sides the form f with f . column >= 0 within it. Adds -f if columns that
/// sum to 1 force f . column = 0, so that the vector of all ones is in the relative interior of the cone. Requires
/// limits without delta whose sides are rows. bounds: by limit.
linear::Matrix cone_of(const std::vector<Limit>& limits, const std::vector<Number>& bounds, std::size_t rows);

/// Returns the extreme rays of {column >= 0 : f . column >= 0 for all forms}, for rational forms. Each is scaled
/// so that its least nonzero entry is 1; the order is descending. Throws LimitError past the budget, or if there
/// are too many.
std::vector<Column> extreme_columns(const linear::Matrix& forms, std::size_t rows, Budget& budget);

/// The weight of each column in a mechanism. gains: by column, rational.
struct Mix {
  std::vector<Number> weights;  // by column: the weighted columns sum to 1 in every row
  Number gain;                  // weights . gains, the maximum
  std::vector<Number> duals;    // by row; they sum to the gain, and duals . column >= the gain of every column
};
Mix best_mix(const std::vector<Column>& columns, const std::vector<Number>& gains, Budget& budget);

/// Returns the mechanism as rows by outputs. Columns with weight 0 become columns of zeros.
std::vector<std::vector<Number>> mechanism_of(const std::vector<Column>& columns, const std::vector<Number>& weights);

}  // namespace oddsbound::designs
