// The result as text for a terminal: one aligned line per level or claim, witnesses as sentences.
#pragma once

#include <cstddef>
#include <string>

#include "reports/report.h"

namespace oddsbound::reports {

struct TextOptions {
  bool color = false;
  std::size_t width = 0;  // maximum line width in columns; 0: unlimited
};

/// Every level of every spec.
std::string text_analysis(const Report& run, const TextOptions& options);
/// Every claim of every spec, a witness for each refuted claim, and a summary line.
std::string text_verification(const Report& run, const TextOptions& options);
/// Every audit.
std::string text_audits(const Report& run);

}  // namespace oddsbound::reports
