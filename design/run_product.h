// Runs a request in product form: one randomized response matrix per attribute.
#pragma once

#include "design/result.h"
#include "design/spec.h"

namespace oddsbound::designs {

/// Returns the design. Throws ModelError if the limits leave nothing to estimate from, and LimitError past the
/// budget.
DesignResult design_of_product(const DesignFile& request, const std::string& folder, Budget& budget);

}  // namespace oddsbound::designs
