// A release as one HTML page: the published numbers with error bars, and the ledger against the budget.
#pragma once

#include <string>

#include "releases/result.h"
#include "reports/formats.h"

namespace oddsbound::releases {

/// Names from files are escaped everywhere.
std::string html_release(const ReleaseResult& result, const RenderOptions& options);

}  // namespace oddsbound::releases
