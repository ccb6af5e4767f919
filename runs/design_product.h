// Making the mechanism of a request whose form is one matrix for each attribute.
#pragma once

#include "results/design_result.h"
#include "specs/design.h"

namespace oddsbound::runs {

/// Throws ModelError where limits leave nothing to estimate from, and LimitError past the budget.
results::DesignResult design_of_product(const specs::DesignFile& request, const std::string& folder, Budget& budget);

}  // namespace oddsbound::runs
