// Splits BCDP levels into CDP levels under given correlation, or bounds the BCDP levels of given CDP levels.
#pragma once

#include "oddsbound/options.h"
#include "reports/split_result.h"

namespace oddsbound::app {

/// Throws ModelError for a request that is wrong.
SplitResult split(const SplitRequest& request);

}  // namespace oddsbound::app
