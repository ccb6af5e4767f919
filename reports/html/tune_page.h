// What tune found as one HTML page: the value, the claims there and beside it, and the levels over the range.
#pragma once

#include <string>

#include "reports/formats.h"
#include "results/tune_result.h"

namespace oddsbound::reports {

/// Names from files are text wherever they stand.
std::string html_tune(const TuneResult& result, const FormatOptions& options);

}  // namespace oddsbound::reports
