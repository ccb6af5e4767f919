// The report as one HTML page that works offline: what leaks, how much, through which attribute, and how certain the
// audits are.
#pragma once

#include <string>

#include "reports/comparison.h"
#include "reports/composition.h"
#include "reports/formats.h"
#include "reports/tune_result.h"

namespace oddsbound::reports {

/// Each figure is embedded as SVG. Unless figures are static, the page's script adds tooltips, if the program was built
/// with that script (figures_script). Names from files are escaped everywhere.
std::string html_report(const Report& report, const Checks& checks, const RenderOptions& options);

// HTML pages of `tune` (the value, the claims there and at its neighbor, and the levels over the range) and of
// `compare`.

/// Names from files are escaped everywhere.
std::string html_tune(const TuneResult& result, const RenderOptions& options);

// Designs side by side: a figure of privacy against error, and the table.

/// Names from files are escaped everywhere.
std::string html_comparison(const DesignComparison& comparison, const RenderOptions& options);

// Runs of mechanisms together: epsilon, delta, rho, and the (epsilon, delta) curve with both ends.

/// Names from files are escaped everywhere.
std::string html_composition(const ComposedResult& result, const RenderOptions& options);

}  // namespace oddsbound::reports
