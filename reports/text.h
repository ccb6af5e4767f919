// The result as text for a terminal: one aligned line per level or claim, witnesses as sentences.
#pragma once

#include <string>

#include "oddsbound/options.h"
#include "reports/report.h"

namespace oddsbound::reports {

/// Every level of every spec.
std::string text_analysis(const Report& run, const RenderOptions& options);
/// Every claim of every spec, a witness for each refuted claim, and a summary line.
std::string text_verification(const Report& run, const RenderOptions& options);
/// Every audit.
std::string text_audits(const Report& run);

}  // namespace oddsbound::reports
