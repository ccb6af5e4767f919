#include "reports/check.h"

#include <algorithm>

namespace oddsbound {

namespace {

std::string sentence(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (!part.empty()) text += (text.empty() ? "" : "; ") + part;
  }
  return text;
}

Outcome outcome_of(bool ok, bool undecided) {
  if (ok) return Outcome::kPass;
  return undecided ? Outcome::kUndecided : Outcome::kFail;
}

Check check_of(const ReportClaim& claim, const ReportSpec& spec) {
  Check check;
  check.rule = claim.notion;
  check.suite = spec.file;
  check.title = claim.claim + (claim.name.empty() ? "" : " [" + claim.name + "]");
  check.outcome = outcome_of(claim.ok, claim.undecided);
  check.message = sentence({claim.verdict_in_words, claim.found, claim.witness});
  check.place = claim.place;
  check.facts = claim.facts;
  return check;
}

Check check_of(const ReportAudit& audit) {
  Check check;
  check.rule = audit.kind == "statistical" ? "audit" : "exhaustive-audit";
  check.suite = audit.file;
  check.title = audit.name + ": " + audit.sampler;
  check.outcome = audit.failed ? Outcome::kError : outcome_of(audit.ok, audit.undecided);
  // What was accepted is still named.
  if (audit.ok && audit.excepted) check.outcome = Outcome::kNote;
  std::vector<std::string> parts = audit.words;
  for (const ReportAuditLevel& level : audit.levels) {
    for (const ReportAuditClaim& claim : level.claims) {
      if (!claim.contradicted) continue;
      parts.push_back("claim " + std::to_string(claim.index) + ", " + level.title + " <= " + claim.claimed +
                      ", is contradicted: " + level.words);
    }
    if (!level.exact.empty()) check.facts.emplace_back("exact " + level.title, level.exact);
  }
  check.message = sentence(parts);
  if (check.message.empty()) check.message = audit.verdict;
  check.place.file = audit.file;
  if (!audit.seed.empty()) check.facts.emplace_back("seed", audit.seed);
  return check;
}

}  // namespace

std::string outcome_word(Outcome outcome) {
  switch (outcome) {
    case Outcome::kPass: return "pass";
    case Outcome::kNote: return "note";
    case Outcome::kFail: return "fail";
    case Outcome::kUndecided: return "undecided";
    case Outcome::kError: break;
  }
  return "error";
}

std::size_t Checks::count(Outcome outcome) const {
  return static_cast<std::size_t>(
      std::count_if(list.begin(), list.end(), [&](const Check& check) { return check.outcome == outcome; }));
}

Checks checks_of(const Report& report, int exit_status) {
  Checks checks;
  checks.exit_status = exit_status;
  for (const ReportSpec& spec : report.specs) {
    for (const ReportClaim& claim : spec.claims) checks.list.push_back(check_of(claim, spec));
    checks.files.insert(checks.files.end(), spec.files.begin(), spec.files.end());
  }
  for (const ReportAudit& audit : report.audits) {
    checks.list.push_back(check_of(audit));
    checks.files.insert(checks.files.end(), audit.files.begin(), audit.files.end());
  }
  for (const ReportError& error : report.errors) {
    checks.list.push_back({"file",
                           error.place.file,
                           "this file can be read",
                           Outcome::kError,
                           error.message + (error.hint.empty() ? "" : " (" + error.hint + ")"),
                           error.place,
                           {}});
  }
  return checks;
}

}  // namespace oddsbound
