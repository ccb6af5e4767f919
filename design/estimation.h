// The mechanism under constraints from which the distribution of its inputs is estimated best without bias.
//
// An estimate is a vector a(y) for each output y with sum over y of P(y given x) a(y) = the unit vector of x, for
// every x. With columns c(y) and w(y) = prior . c(y), the least sum of w(y) |a(y)|^2 is the trace of the inverse
// of the information, which is the sum over outputs of c c^T / w (Gauss and Markov). The information is convex and
// homogeneous in the column, so extreme columns suffice (columns.h), and their weights are an A-optimal design
// (Pukelsheim 1993, chapter 6). Lower bound: for any matrix C, (trace C)^2 <= trace(C information C^T)
// trace(information^-1) by Cauchy and Schwarz, and the first factor is bounded by a linear program over columns.
#pragma once

#include <optional>
#include <vector>

#include "base/budget.h"
#include "design/columns.h"

namespace oddsbound::designs {

struct LeastError {
  std::vector<Number> weights;  // by column
  Number error;                 // the exact trace for these weights
  Number at_least;              // any mechanism of these columns: error >= (trace of center)^2 / sum of duals
  std::vector<Number> duals;    // by row: duals . c >= |center c|^2 / (prior . c) for every column c
  linear::Matrix center;        // over rows with mass
};

/// Returns the mechanism with the least error. Rows without prior mass never occur and are not estimated. prior
/// and columns must be rational. nullopt if no mechanism made of the columns has an unbiased estimate. Throws
/// LimitError past the budget.
std::optional<LeastError> least_error(const std::vector<Column>& columns, const std::vector<Number>& prior,
                                      Budget& budget);

/// Returns the trace for any mechanism; nullopt if it has no unbiased estimate.
std::optional<Number> error_of(const std::vector<Column>& columns, const std::vector<Number>& weights,
                               const std::vector<Number>& prior);

// Weights of columns that minimize the trace of the inverse information, in doubles: a proposal.

struct TraceProgram {
  std::vector<std::vector<double>> parts;  // by column: information = sum of weight * part part^T
  std::vector<std::vector<double>> sums;   // by column: weighted, they sum to 1 in each row; rows are independent
};

/// Throws LimitError past the budget.
std::vector<double> weights_of_least_trace(const TraceProgram& program, Budget& budget);

}  // namespace oddsbound::designs
