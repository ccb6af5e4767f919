// What a mechanism can be called, and one that loses as little with fewer outputs and fewer different entries.
#pragma once

#include "design/columns.h"
#include "design/program.h"

namespace oddsbound::designs {

/// The family that a mechanism is one of, by its outputs that are ever given: "k-randomized response", "subset
/// selection (2 of 5)"; empty: none that is known.
std::string family_of(const Rows& rows);

/// Outputs whose columns are multiples of one another tell the same: one of them is given for both where that breaks no
/// limit, exceeds no ceiling and loses nothing.
void merge_alike(const DesignProblem& wanted, Rows& rows);

/// How many outputs are ever given, and how many different entries there are.
std::pair<std::size_t, std::size_t> size_of(const Rows& rows);

// The mechanism within limits that is of most use, where the use of a mechanism adds up over its outputs, and that of
// an output is convex in its column and in proportion to it: a linear program over extreme columns (columns.h).

/// The use of a column: the largest of some linear forms of it, or, without any, what it tells of the input: its part
/// of the mutual information in nats, under the prior.
struct Utility {
  linear::Matrix forms;
  std::vector<Number> prior;  // by row
};

struct MostUseful {
  std::vector<Number> weights;  // by column
  Number attained;              // not above the mechanism's use, which it is if that is rational
  Number at_most;               // no mechanism made of the columns has more
  std::vector<Number>
      duals;  // by row: they add up to that at most, and prices . column is at least the use of any column
};

/// prior, forms and columns are rational. Throws LimitError past the budget.
MostUseful most_useful(const std::vector<Column>& columns, const Utility& utility, Budget& budget);

}  // namespace oddsbound::designs
