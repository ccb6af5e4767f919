// Making the mechanism that a request asks for.
#pragma once

#include "base/budget.h"
#include "results/design_result.h"

namespace oddsbound::runs {

/// folder: where the spec will stand; empty: the current one. Throws SpecError for what is wrong with the request, and
/// LimitError past the budget.
results::DesignResult run_design(const std::string& file, const std::string& folder, Budget& budget);

}  // namespace oddsbound::runs
