// JSON of audits, in both directions. Include only in files of results (heavy library).
#pragma once

#include "reports/audit_result.h"
#include "reports/fields.h"

namespace oddsbound::reports {

void describe(FieldWriter& fields, AuditResult& audit);
/// Throws SpecError also if verdict and findings contradict one another.
void describe(FieldReader& fields, AuditResult& audit);

template <typename Fields>
void describe(Fields& fields, ClaimLeftOut& left_out) {
  fields.object("a claim that is left out");
  fields.field("index", left_out.claim);
  fields.field("what", left_out.what);
  fields.field("reason", left_out.reason);
}

}  // namespace oddsbound::reports
