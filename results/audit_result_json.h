// What an audit found as JSON, and back. For the files of results alone (heavy library).
#pragma once

#include <nlohmann/json.hpp>

#include "results/audit_result.h"
#include "specs/reading.h"

namespace oddsbound::results {

class FieldReader;
class FieldWriter;

nlohmann::ordered_json audit_json(const AuditResult& audit);
/// Throws SpecError also where verdict and findings contradict one another.
AuditResult read_audit_result(JsonView json, ReadingContext& context);

/// The parts of both kinds of audits.
void write_statistical(FieldWriter& fields, const AuditResult& result);
void read_statistical(FieldReader& fields, StatisticalAudit& audit);
void write_exhaustive(FieldWriter& fields, const AuditResult& result);
void read_exhaustive(FieldReader& fields, ExhaustiveAudit& audit);
/// What is said of the audit as a whole, line by line.
nlohmann::ordered_json summary_words(const AuditResult& audit);

template <typename Fields>
void describe(Fields& fields, ClaimLeftOut& left_out) {
  fields.object("a claim that is left out");
  fields.field("index", left_out.claim);
  fields.field("what", left_out.what);
  fields.field("reason", left_out.reason);
}

}  // namespace oddsbound::results
