// What is to be audited, and how: from the command line, or from a plan, a JSON file that can be run again
// (docs/auditing.md).
#pragma once

#include "audits/request.h"

#include <string>

#include "audits/external.h"
#include "audits/measure.h"
#include "specs/source_file.h"

namespace oddsbound::audits {

/// Reads a plan. File names in it, and its program, are relative to its folder. Throws SpecError.
AuditRequest read_plan(const std::string& path, Budget& budget);
/// The same from a text; `path` is the name that errors give.
AuditRequest read_plan_text(const std::string& path, std::string text, Budget& budget);

}  // namespace oddsbound::audits
