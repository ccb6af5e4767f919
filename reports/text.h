// The result as text for a terminal: one line per level or claim, aligned, witnesses in words.
#pragma once

#include <string>

#include "results/result.h"

namespace oddsbound {

struct TextOptions {
  bool color = false;
};

/// Every level of every spec.
std::string text_analysis(const RunResult& run, const TextOptions& options);
/// Every claim of every spec, with a witness for each that is refuted, and a summary line.
std::string text_verification(const RunResult& run, const TextOptions& options);

}  // namespace oddsbound
