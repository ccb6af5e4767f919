#include "reports/audit_json.h"

#include "specs/spec_error.h"

namespace oddsbound::reports {

namespace {

// Throws SpecError if the stated verdict contradicts the findings.
void require_verdict(const ResultObject& object, const AuditResult& audit) {
  const JsonView stated = object.require("verdict");
  const std::string verdict = audit.verdict();
  // Versions up to 0.5.0 wrote "passes" for what is now "passes except".
  const bool older = stated.text() == "passes" && verdict == "passes except";
  if (stated.text() != verdict && !older) {
    stated.fail("found '" + printable(stated.text(), 40) + "', but what was found is '" + verdict + "'");
  }
  const auto ok = object.find("ok");
  if (ok && read_boolean(*ok, "true or false") != audit.ok()) {
    ok->fail("found " + std::string(ok->text()) + ", but the verdict says otherwise");
  }
}

template <typename Fields>
void describe_audit(Fields& fields, AuditResult& audit) {
  fields.object("an audit's result");
  fields.field("file", audit.file);
  fields.field("name", audit.name);
  bool exhaustive = audit.exhaustive() != nullptr;
  fields.word("kind", exhaustive, {"statistical", "exhaustive"});
  fields.where(audit.confidential, "confidential", audit.confidential);
  if constexpr (Fields::kReads) {
    if (exhaustive) audit.found.template emplace<ExhaustiveAudit>();
  }
  exhaustive ? describe_exhaustive(fields, audit) : describe_statistical(fields, audit);
  if constexpr (Fields::kReads) require_verdict(fields.members(), audit);
}

}  // namespace

void describe(FieldWriter& fields, AuditResult& audit) { describe_audit(fields, audit); }
void describe(FieldReader& fields, AuditResult& audit) { describe_audit(fields, audit); }

}  // namespace oddsbound::reports
