// JSON of audits, in both directions. Include only in files of results (heavy library).
#pragma once

#include <nlohmann/json.hpp>

#include "reports/audit_result.h"

namespace oddsbound::reports {

class FieldReader;
class FieldWriter;

nlohmann::ordered_json audit_json(const AuditResult& audit);
/// Throws SpecError also if verdict and findings contradict one another.
AuditResult read_audit_result(JsonView json, ReadingContext& context);

/// The parts of both kinds of audits.
void write_statistical(FieldWriter& fields, const AuditResult& result);
void read_statistical(FieldReader& fields, StatisticalAudit& audit);
void write_exhaustive(FieldWriter& fields, const AuditResult& result);
void read_exhaustive(FieldReader& fields, ExhaustiveAudit& audit);
/// The summary lines as a JSON array.
nlohmann::ordered_json summary_words(const AuditResult& audit);

template <typename Fields>
void describe(Fields& fields, ClaimLeftOut& left_out) {
  fields.object("a claim that is left out");
  fields.field("index", left_out.claim);
  fields.field("what", left_out.what);
  fields.field("reason", left_out.reason);
}

}  // namespace oddsbound::reports
