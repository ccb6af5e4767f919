// A designed mechanism, or one that was mended, as one HTML page: what is proven of it, and how it looks.
#pragma once

#include <string>

#include "reports/formats.h"
#include "results/design_result.h"
#include "results/repair_result.h"

namespace oddsbound::reports {

/// Names from files are text wherever they stand. Where constraints are in conflict these are named.
std::string html_design(const DesignResult& result, const FormatOptions& options);
std::string html_repair(const RepairResult& result, const FormatOptions& options);

}  // namespace oddsbound::reports
