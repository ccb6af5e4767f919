// Designs side by side as one HTML page: a figure of privacy against error, and the table.
#pragma once

#include <string>

#include "reports/formats.h"
#include "results/comparison.h"

namespace oddsbound::reports {

/// Names from files are text wherever they stand.
std::string html_comparison(const DesignComparison& comparison, const FormatOptions& options);

}  // namespace oddsbound::reports
