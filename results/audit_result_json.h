// What an audit found as JSON, and back. For the files of results alone (heavy library).
#pragma once

#include <nlohmann/json.hpp>

#include "results/audit_result.h"
#include "specs/reading.h"

namespace oddsbound {

nlohmann::ordered_json audit_json(const AuditResult& audit);
/// Throws SpecError also where verdict and findings contradict one another.
AuditResult read_audit_result(JsonView json, ReadingContext& context);

}  // namespace oddsbound
