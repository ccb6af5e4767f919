// The report as one HTML page that works offline: what leaks, how much, through which attribute, and how certain the
// audits are.
#pragma once

#include "reports/formats.h"

namespace oddsbound::reports {

/// Each figure is embedded as SVG. Unless figures are static, the page's script adds tooltips, if the program was built
/// with that script (figures_script). Names from files are escaped everywhere.
std::string html_report(const Report& report, const Checks& checks, const RenderOptions& options);

}  // namespace oddsbound::reports
