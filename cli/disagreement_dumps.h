// Dumps of disagreements between deciders: saves what each of them found about a claim.
#pragma once

#include <string>
#include <vector>

#include "reports/report.h"

namespace oddsbound::cli {

/// Writes the files of a report's disagreements to `folder`, as oddsbound-disagreement-NAME. Returns one sentence
/// per disagreement that names its files. Throws std::runtime_error if a file cannot be written.
std::vector<std::string> write_disagreement_dumps(const Report& report, const std::string& folder);

}  // namespace oddsbound::cli
