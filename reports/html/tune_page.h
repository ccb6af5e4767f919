// HTML pages of `tune` (the value, the claims there and at its neighbor, and the levels over the range) and of
// `compare`.
#pragma once

#include <string>

#include "reports/comparison.h"
#include "reports/formats.h"
#include "reports/tune_result.h"

namespace oddsbound::reports {

/// Names from files are escaped everywhere.
std::string html_tune(const TuneResult& result, const RenderOptions& options);

// Designs side by side: a figure of privacy against error, and the table.

/// Names from files are escaped everywhere.
std::string html_comparison(const DesignComparison& comparison, const RenderOptions& options);

}  // namespace oddsbound::reports
