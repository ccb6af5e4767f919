// What those found who disagree about a claim, kept where the program runs.
#pragma once

#include <string>
#include <vector>

#include "reports/report.h"

namespace oddsbound::cli {

/// Writes what belongs to a report's disagreements to files oddsbound-disagreement-NAME in a folder. Returns, for each
/// disagreement, the sentence that names them. Throws std::runtime_error for a file that cannot be written.
std::vector<std::string> write_disagreement_dumps(const Report& report, const std::string& folder);

}  // namespace oddsbound::cli
