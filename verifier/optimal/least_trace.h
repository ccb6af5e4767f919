// Weights of columns for which the trace of the inverse of the information is least, in doubles: a proposal.
#pragma once

#include <optional>
#include <vector>

#include "base/budget.h"

namespace oddsbound::optimal {

struct TraceProgram {
  std::vector<std::vector<double>> parts;  // by column: the information is the sum of weight * part part^T
  std::vector<std::vector<double>> sums;   // by column: what adds up, times the weights, to 1 each; independent
};

/// Throws LimitError past the budget.
std::vector<double> weights_of_least_trace(const TraceProgram& program, Budget& budget);

}  // namespace oddsbound::optimal
