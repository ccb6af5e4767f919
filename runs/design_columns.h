// Making the mechanism that a request asks for where what it wants adds up over columns.
#pragma once

#include "base/budget.h"
#include "results/design_result.h"
#include "specs/design.h"

namespace oddsbound::runs {

/// The request has a goal. Throws as run_design does.
results::DesignResult design_of_columns(const specs::DesignFile& request, const std::string& folder, Budget& budget);

}  // namespace oddsbound::runs
