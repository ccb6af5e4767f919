// The report as one HTML page that works offline: what leaks, how much, through which attribute, how sure the audits
// are.
#pragma once

#include "reports/formats.h"

namespace oddsbound::reports {

/// Unless figures are to be static, they are drawn anew by Vega-Lite where the program was built with it
/// (figures_script); each figure is there as SVG in any case. Names from files are text wherever they stand.
std::string html_report(const Report& report, const Checks& checks, const FormatOptions& options);

}  // namespace oddsbound::reports
