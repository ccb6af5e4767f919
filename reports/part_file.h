// The file in which a shard of an audit keeps what it counted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "audits/dependence.h"
#include "audits/plan.h"
#include "specs/json_document.h"

namespace oddsbound::reports {

struct AuditPart {
  std::string file;
  std::string version;    // of the program that wrote it
  std::string spec_hash;  // of all that the audit depends on
  AuditRequest request;
  Measurement measured;
  std::optional<DependenceWatch::Counts> watched;
};

std::string part_text(const AuditPart& part);
/// What a part says about the audit it belongs to. Throws SpecError for what is not a part.
AuditPart read_part_head(const JsonDocument& document);
/// What it counted. Throws SpecError for what such an audit cannot have counted.
void read_part_counts(const JsonDocument& document, const Spec& spec, const std::vector<Question>& questions,
                      AuditPart& part);

}  // namespace oddsbound::reports
