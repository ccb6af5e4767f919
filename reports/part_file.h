// The file in which a shard of an audit stores its counts.
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
  std::string spec_hash;  // of everything the audit depends on
  AuditRequest request;
  Measurement measured;
  std::optional<DependenceWatch::Counts> watched;
};

std::string part_text(const AuditPart& part);
/// Reads the description of the audit. Throws SpecError if the document is not a part.
AuditPart read_part_head(const JsonDocument& document);
/// Reads the counts. Throws SpecError for counts that such an audit cannot have.
void read_part_counts(const JsonDocument& document, const Spec& spec, const std::vector<Question>& questions,
                      AuditPart& part);

}  // namespace oddsbound::reports
