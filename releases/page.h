// A release as one HTML page: the numbers that were told with their error bars, and the ledger against the budget.
#pragma once

#include <string>

#include "releases/result.h"
#include "reports/formats.h"

namespace oddsbound::releases {

/// Names from files are text wherever they stand.
std::string html_release(const ReleaseResult& result, const FormatOptions& options);

}  // namespace oddsbound::releases
