// The columns that mechanisms within limits are made of. Where limits compare probabilities output by output, the
// column of an output, P(y given x) for all x, lies in a cone, and a mechanism is any choice of columns in it that add
// up to 1. What is added up over outputs, and is convex in the column and grows in proportion to it, is largest for
// columns that are extreme rays of the cone: any other one is split into such, and loses nothing (Kairouz, Oh and
// Viswanath 2016, Theorem 2, for LDP, where they have two values).
#pragma once

#include <vector>

#include "base/budget.h"
#include "design/limits.h"
#include "verifier/linear/basis.h"

namespace oddsbound::designs {

using Column = std::vector<Number>;  // by row of the mechanism

/// For every limit and pair of sides the form f with f . column >= 0 within it; -f as well where columns that add up to
/// 1 cannot have more, so that all entries are 1 in the cone's interior, as far as it has one. The limits have no
/// delta, and their sides are rows; bounds: by limit.
linear::Matrix cone_of(const std::vector<Limit>& limits, const std::vector<Number>& bounds, std::size_t rows);

/// The extreme rays of {column >= 0 : f . column >= 0 for all forms}, the forms rational, each with 1 as its least
/// entry that is not 0; in falling order. Throws LimitError past the budget, or where there are too many.
std::vector<Column> extreme_columns(const linear::Matrix& forms, std::size_t rows, Budget& budget);

/// How much of each column a mechanism has. gains: by column, rational.
struct Mix {
  std::vector<Number> weights;  // by column: weights times columns add up to 1 in every row
  Number gain;                  // weights . gains, the largest that there is
  std::vector<Number> duals;   // by row; they add up to the gain, and prices . column >= its gain for every column
};
Mix best_mix(const std::vector<Column>& columns, const std::vector<Number>& gains, Budget& budget);

/// Entries of the columns that are not needed are 0: rows by outputs.
std::vector<std::vector<Number>> mechanism_of(const std::vector<Column>& columns, const std::vector<Number>& weights);

Number inner(const std::vector<Number>& a, const std::vector<Number>& b);

}  // namespace oddsbound::designs
