// Readable designs: the family of a mechanism, simplification without loss, and mechanisms with the largest
// utility.
#pragma once

#include "design/columns.h"
#include "design/program.h"

namespace oddsbound::designs {

/// Returns the family of a mechanism, by its outputs with positive probability: "k-randomized response", "subset
/// selection (2 of 5)"; empty if unknown.
std::string family_of(const Rows& rows);

/// Merges outputs whose columns are multiples of one another, which are equally informative, if that breaks no
/// limit, exceeds no ceiling and does not increase the loss.
void merge_alike(const DesignProblem& wanted, Rows& rows);

/// Returns the number of outputs with positive probability, and the number of different entries.
std::pair<std::size_t, std::size_t> size_of(const Rows& rows);

// Maximum utility under constraints. The utility of a mechanism is a sum over its outputs, convex and homogeneous
// in their columns: a linear program over extreme columns (columns.h).

/// The utility of a column: the largest of some linear forms or, if there are none, its part of the mutual
/// information under the prior, in nats.
struct Utility {
  linear::Matrix forms;
  std::vector<Number> prior;  // by row
};

struct MostUseful {
  std::vector<Number> weights;  // by column
  Number attained;              // lower bound on the mechanism's utility; equal to it if that is rational
  Number at_most;               // upper bound for all mechanisms made of the columns
  std::vector<Number> duals;    // by row: they sum to at_most, and duals . column >= the utility of any column
};

/// Returns the optimum. prior, forms and columns must be rational. Throws LimitError past the budget.
MostUseful most_useful(const std::vector<Column>& columns, const Utility& utility, Budget& budget);

}  // namespace oddsbound::designs
