// The mechanism within limits that is of most use, where the use of a mechanism adds up over its outputs, and that of
// an output is convex in its column and in proportion to it: a linear program over extreme columns (columns.h).
#pragma once

#include "verifier/optimal/columns.h"

namespace oddsbound::optimal {

/// The use of a column: the largest of some linear forms of it, or, without any, what it tells of the input: its part
/// of the mutual information in nats, under the prior.
struct Utility {
  exact::Matrix forms;
  std::vector<Number> prior;  // by row
};

struct MostUseful {
  std::vector<Number> weights;  // by column
  Number attained;              // not above the mechanism's use, which it is if that is rational
  Number at_most;               // no mechanism made of the columns has more
  std::vector<Number>
      prices;  // by row: they add up to that at most, and prices . column is at least the use of any column
};

/// prior, forms and columns are rational. Throws LimitError past the budget.
MostUseful most_useful(const std::vector<Column>& columns, const Utility& utility, Budget& budget);

}  // namespace oddsbound::optimal
