// What tune found as one HTML page: the value, the claims there and beside it, and the levels over the range.
#pragma once

#include <string>

#include "reports/comparison.h"
#include "reports/formats.h"
#include "reports/tune_result.h"

namespace oddsbound::reports {

/// Names from files are text wherever they stand.
std::string html_tune(const TuneResult& result, const FormatOptions& options);

// Designs side by side as one HTML page: a figure of privacy against error, and the table.

/// Names from files are text wherever they stand.
std::string html_comparison(const DesignComparison& comparison, const FormatOptions& options);

}  // namespace oddsbound::reports
