// Mending a mechanism whose claims fail, or whose rows were computed in floating point.
#pragma once

#include "base/budget.h"
#include "design/result.h"

namespace oddsbound::designs {

/// folder: where the new spec will stand; empty: the current one. Throws SpecError for what is wrong with the spec,
/// ModelError where it has no matrix of probabilities or no claim to go by, and LimitError past the budget.
designs::RepairResult run_repair(const std::string& file, const designs::RepairOptions& options,
                                 const std::string& folder, Budget& budget);

}  // namespace oddsbound::designs
