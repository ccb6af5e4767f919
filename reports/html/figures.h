// Which figures a report has: from what was measured to drawings.
#pragma once

#include "reports/html/drawing.h"
#include "results/report.h"

namespace oddsbound {

std::vector<Drawing> figures_of(const ReportSpec& spec);
std::vector<Drawing> figures_of(const ReportAudit& audit);

}  // namespace oddsbound
