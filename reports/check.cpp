#include "reports/check.h"

#include <algorithm>

#include "reports/audit_result.h"
#include "reports/claim_words.h"
#include "reports/publishable.h"
#include "reports/words.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::reports {

namespace {

Outcome outcome_of(bool ok, bool undecided) {
  if (ok) return Outcome::kPass;
  return undecided ? Outcome::kUndecided : Outcome::kFail;
}

using Facts = std::vector<std::pair<std::string, std::string>>;

// The claimed and actual values. Matrices and kernels are omitted.
void add_facts(const Claimed& claimed, Facts& facts) {
  for (const auto& [name, stated] : claimed.values) {
    facts.emplace_back(name.empty() ? "claimed" : "claimed " + name, stated.text());
  }
  if (claimed.form == ClaimForm::kMechanism) facts.emplace_back("claimed", "post-processing of the given mechanism");
}

struct FactsOfActual {
  Facts& facts;
  void operator()(std::monostate) const {}
  void operator()(const Refinement&) const {}
  void operator()(const MeasuredLevel& measured) const { add_known("actual", measured); }
  void operator()(const Average& average) const { add_known("actual", average.level); }
  void operator()(const MeasuredNumber& number) const {
    const std::string what = "actual " + kind_words(number.kind);
    if (number.unfinished) {
      facts.emplace_back(what + ", at least", decimal_text(number.at_least));
      facts.emplace_back(what + ", at most", decimal_text(number.at_most()));
      return;
    }
    const bool rounded = number.witness.withheld && !number.at_least.is_zero();
    facts.emplace_back(rounded ? what + ", at most" : what,
                       rounded ? decimal_text(number.at_least) : number.at_least.to_string());
  }
  void operator()(const NamedLevels& levels) const {
    for (const auto& [coordinate, level] : levels) add_known("actual " + coordinate, level);
  }
  void add_known(const std::string& what, const MeasuredLevel& measured) const {
    const auto text = [&](const Level& level) { return measured.rounded ? published_text(level) : level.to_string(); };
    if (measured.rounded && !measured.unfinished) {
      facts.emplace_back(what + ", at most", text(measured.at_least));
      return;
    }
    facts.emplace_back(measured.unfinished ? what + ", at least" : what, text(measured.at_least));
    if (measured.unfinished) facts.emplace_back(what + ", at most", text(measured.at_most()));
  }
};

Check check_of(const ClaimResult& claim, const SpecResult& spec) {
  const ClaimWords words = claim_words(claim);
  Check check;
  check.rule = claim.notion;
  check.suite = spec.file;
  const std::string name = claim.name.empty() ? "" : " [" + claim.name + "]";
  check.title = words.claim + name;
  if (spec.row_tolerance) check.title += ", for " + printed_matrix_words(*spec.row_tolerance);
  check.identity = claim_identity(claim) + name;
  check.outcome = outcome_of(claim.ok(), claim.undecided());
  check.message = sentence(
      {words.outcome(), words.difference, words.opinion, witness_words(claim.decision.witness, spec.coordinates)});
  check.place = claim.place;
  if (claim.claimed && claim.known()) add_facts(*claim.claimed, check.facts);
  std::visit(FactsOfActual{check.facts}, claim.decision.actual);
  check.certificate = spec.certificate_file;
  return check;
}

Check check_of(const AuditResult& audit) {
  Check check;
  const StatisticalAudit* statistical = audit.statistical();
  check.rule = statistical != nullptr ? "audit" : "exhaustive-audit";
  check.suite = audit.file;
  check.title = audit.name + ": " + sampler_words(audit);
  check.outcome = audit.failed() ? Outcome::kError : outcome_of(audit.ok(), audit.undecided());
  // Accepted exceptions are still reported.
  const bool left_out =
      statistical != nullptr && statistical->leaves_inputs_out() && statistical->expect == Expectation::kPassesForTried;
  if (audit.ok() && (audit.excepted() || left_out)) check.outcome = Outcome::kNote;
  std::vector<std::string> parts = summary_lines(audit);
  for (const AuditedLevel& level : statistical != nullptr ? statistical->levels : std::vector<AuditedLevel>()) {
    for (const AuditedClaim& claim : level.claims) {
      if (!claim.contradicted) continue;
      const std::string index = "claim " + std::to_string(claim.index);
      const std::string said = level.title() + " <= " + claim.claimed.text();
      parts.push_back((claim.implied_by.empty()
                           ? index + ", " + said + ", is contradicted: "
                           : index + ", " + claim.implied_by + ", is contradicted by the " + said + ": ") +
                      game_words(level, *statistical));
    }
    if (level.exact) check.facts.emplace_back("exact " + level.title(), exact_level_words(level));
  }
  if (statistical != nullptr && statistical->curve) {
    for (const AuditedDelta& point : statistical->curve->points) {
      if (!point.exceeds()) continue;
      parts.push_back("delta at epsilon " + point.epsilon.to_string() + " is at least " +
                      decimal_bounds(point.at_least).lower + ", more than that of the stated channel, " +
                      decimal_bounds(*point.stated_at_most).upper);
    }
  }
  check.message = sentence(parts);
  check.place.file = audit.file;
  if (statistical != nullptr) check.facts.emplace_back("seed", std::to_string(statistical->seed));
  return check;
}

}  // namespace

Check check_of(const FileError& error) {
  const std::string hint = error.hint.empty() ? "" : " (" + error.hint + ")";
  const Outcome outcome = error.stopped ? Outcome::kUndecided : Outcome::kError;
  return {"file", error.place.file, "this file can be read", outcome, error.message + hint, error.place, {}, {}};
}

int status_of(const Checks& checks) {
  if (checks.count(Outcome::kError) > 0) return 2;
  if (checks.count(Outcome::kFail) > 0) return 1;
  return checks.count(Outcome::kUndecided) > 0 ? 3 : 0;
}

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

std::string Check::line() const { return brief.empty() ? title + " " + message : title + "  " + brief; }

std::vector<const Check*> worst_first(const Checks& checks) {
  std::vector<const Check*> found;
  for (const Check& check : checks.list) {
    if (check.outcome != Outcome::kPass) found.push_back(&check);
  }
  const auto rank = [](const Check& check) {
    return check.outcome == Outcome::kNote ? 2 : check.outcome == Outcome::kUndecided ? 1 : 0;
  };
  std::stable_sort(found.begin(), found.end(), [&](const Check* a, const Check* b) {
    return rank(*a) != rank(*b) ? rank(*a) < rank(*b) : a->growth > b->growth;
  });
  return found;
}

std::size_t Checks::count(Outcome outcome) const {
  return static_cast<std::size_t>(
      std::count_if(list.begin(), list.end(), [&](const Check& check) { return check.outcome == outcome; }));
}

Checks checks_of(const Report& report, int exit_status) {
  Checks checks;
  checks.exit_status = exit_status;
  for (const SpecResult& spec : report.specs) {
    for (const ClaimResult& claim : spec.claims) checks.list.push_back(check_of(claim, spec));
    checks.files.insert(checks.files.end(), spec.files.begin(), spec.files.end());
  }
  for (const AuditResult& audit : report.audits) {
    checks.list.push_back(check_of(audit));
    checks.files.insert(checks.files.end(), audit.files.begin(), audit.files.end());
  }
  for (const FileError& error : report.errors) {
    checks.list.push_back(check_of(error));
  }
  return checks;
}

}  // namespace oddsbound::reports
