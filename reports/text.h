// The result as text for a terminal: one line per level or claim, aligned, witnesses in words.
#pragma once

#include <cstddef>
#include <string>

#include "reports/report.h"

namespace oddsbound::reports {

struct TextOptions {
  bool color = false;
  std::size_t width = 0;  // columns that lines may take; 0: any number
};

/// Every level of every spec.
std::string text_analysis(const Report& run, const TextOptions& options);
/// Every claim of every spec, with a witness for each that is refuted, and a summary line.
std::string text_verification(const Report& run, const TextOptions& options);
/// Every audit.
std::string text_audits(const Report& run);

}  // namespace oddsbound::reports
