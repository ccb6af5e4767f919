// The mechanism within limits from which the distribution of its inputs is estimated best, without bias.
//
// An estimate is a vector a(y) for each output y, with sum over y of P(y given x) a(y) = the unit vector of x, for
// every x. With columns c(y), and w(y) = prior . c(y), the least of the sums of w(y) |a(y)|^2 is the trace of the
// inverse of the information, the sum over outputs of c c^T / w (Gauss and Markov). That matrix is convex in the column
// and grows in proportion to it, so extreme columns do (columns.h), and which of them how often is an A-optimal design
// (Pukelsheim 1993, chapter 6). For any matrix C, by Cauchy and Schwarz, (trace C)^2 <= trace(C information C^T)
// trace(information^-1), and the first factor is a linear program over columns.
#pragma once

#include <optional>
#include <vector>

#include "base/budget.h"
#include "design/columns.h"

namespace oddsbound::designs {

struct LeastError {
  std::vector<Number> weights;  // by column
  Number error;                 // the trace for these weights, exactly
  Number at_least;             // no mechanism made of the columns has less: (trace of the center)^2 / sum of the prices
  std::vector<Number> duals;  // by row: prices . c >= |center c|^2 / (prior . c) for every column c
  linear::Matrix center;        // among rows with mass
};

/// Rows without prior mass are not estimated: they do not occur. prior and columns are rational. None if no mechanism
/// made of the columns has an estimate without bias. Throws LimitError past the budget.
std::optional<LeastError> least_error(const std::vector<Column>& columns, const std::vector<Number>& prior,
                                      Budget& budget);

/// The trace for any mechanism; none if it has no estimate without bias.
std::optional<Number> error_of(const std::vector<Column>& columns, const std::vector<Number>& weights,
                               const std::vector<Number>& prior);

// Weights of columns for which the trace of the inverse of the information is least, in doubles: a proposal.

struct TraceProgram {
  std::vector<std::vector<double>> parts;  // by column: the information is the sum of weight * part part^T
  std::vector<std::vector<double>> sums;   // by column: what adds up, times the weights, to 1 each; independent
};

/// Throws LimitError past the budget.
std::vector<double> weights_of_least_trace(const TraceProgram& program, Budget& budget);

}  // namespace oddsbound::designs
