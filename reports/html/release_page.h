// A release as one HTML page: the numbers that were told with their error bars, and the ledger against the budget.
#pragma once

#include <string>

#include "reports/formats.h"
#include "results/release_result.h"

namespace oddsbound::reports {

/// Names from files are text wherever they stand.
std::string html_release(const ReleaseResult& result, const FormatOptions& options);

}  // namespace oddsbound::reports
