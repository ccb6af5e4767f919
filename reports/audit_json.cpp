#include "reports/audit_json.h"

#include <algorithm>

#include "reports/fields.h"
#include "specs/spec_error.h"

namespace oddsbound::reports {

namespace {

using Json = nlohmann::ordered_json;

}  // namespace

Json summary_words(const AuditResult& audit) {
  Json words = Json::array();
  for (const std::string& line : summary_lines(audit)) words.push_back(line);
  return words;
}

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

}  // namespace

Json audit_json(const AuditResult& audit) {
  FieldWriter fields;
  fields.field("file", audit.file);
  fields.field("name", audit.name);
  fields.derived("kind", audit.statistical() != nullptr ? "statistical" : "exhaustive");
  fields.where(audit.confidential, "confidential", audit.confidential);
  audit.statistical() != nullptr ? write_statistical(fields, audit) : write_exhaustive(fields, audit);
  return fields.take();
}

AuditResult read_audit_result(JsonView json, ReadingContext& context) {
  AuditResult audit;
  FieldReader fields(json, context);
  fields.object("an audit's result");
  fields.field("file", audit.file);
  fields.field("name", audit.name);
  fields.newer("files", audit.files);
  fields.newer("confidential", audit.confidential);
  std::size_t kind = 0;
  fields.word("kind", kind, {"statistical", "exhaustive"});
  if (kind == 0) {
    read_statistical(fields, audit.found.emplace<StatisticalAudit>());
  } else {
    read_exhaustive(fields, audit.found.emplace<ExhaustiveAudit>());
  }
  require_verdict(fields.members(), audit);
  return audit;
}

}  // namespace oddsbound::reports
