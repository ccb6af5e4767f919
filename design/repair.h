// Repairs a mechanism whose claims fail, or whose rows were computed in floating point.
#pragma once

#include "base/budget.h"
#include "design/result.h"

namespace oddsbound::designs {

/// Returns the repaired mechanism. folder: the folder of the new spec; empty: the current one. Throws SpecError
/// for errors in the spec, ModelError if it has no matrix of probabilities or no claim that sets limits, and
/// LimitError past the budget.
RepairResult run_repair(const std::string& file, const RepairOptions& options, const std::string& folder,
                        Budget& budget);

}  // namespace oddsbound::designs
