// Making the mechanism of a request whose form is one matrix for each attribute.
#pragma once

#include "design/result.h"
#include "design/spec.h"

namespace oddsbound::designs {

/// Throws ModelError where limits leave nothing to estimate from, and LimitError past the budget.
designs::DesignResult design_of_product(const designs::DesignFile& request, const std::string& folder, Budget& budget);

}  // namespace oddsbound::designs
