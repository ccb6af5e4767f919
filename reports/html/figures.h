// Selects the figures of a report and turns results into drawings.
#pragma once

#include "reports/html/svg.h"
#include "reports/report.h"

namespace oddsbound::reports {

std::vector<Drawing> figures_of(const SpecResult& spec);
std::vector<Drawing> figures_of(const AuditResult& audit);

/// Lower bounds of delta from runs, against the curve of the stated channel (composition.cpp).
Drawing draw_curve(const AuditedCurve& curve);

}  // namespace oddsbound::reports
