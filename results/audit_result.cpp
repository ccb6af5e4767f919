#include "results/audit_result.h"

#include <algorithm>

namespace oddsbound::results {

namespace {

constexpr const char* kPassesForTried = "passes for the inputs tried";

std::string verdict_of(const StatisticalAudit& audit) {
  // Bounds suppose independent runs.
  if (audit.contradicts_claims() && audit.dependence.empty()) return "contradicted";
  if (!audit.agreement.deviations.empty() || !audit.dependence.empty()) return "deviates";
  if (audit.interrupted) return "interrupted";
  return audit.leaves_inputs_out() ? kPassesForTried : "passes";
}

std::string verdict_of(const ExhaustiveAudit& audit) {
  if (!audit.derived) return "undecided";
  const auto any = [&](auto condition) {
    return std::any_of(audit.derived->choices.begin(), audit.derived->choices.end(), condition);
  };
  if (!audit.derived->differs.empty() || any([](const DerivedChoice& choice) { return choice.fails; })) return "fails";
  return any([](const DerivedChoice& choice) { return choice.by == ShownBy::kNothing; }) ? "passes except" : "passes";
}

}  // namespace

bool StatisticalAudit::contradicts_claims() const {
  return std::any_of(levels.begin(), levels.end(), [](const AuditedLevel& level) {
    return std::any_of(level.claims.begin(), level.claims.end(),
                       [](const AuditedClaim& claim) { return claim.expect_holds && claim.contradicted; });
  });
}

std::string AuditedLevel::title() const {
  return (about.empty() ? notion : notion + " " + about) +
         (delta_at ? " at " + delta_at->to_string() + ": delta" : std::string());
}

std::string AuditResult::verdict() const {
  return std::visit([](const auto& audit) { return verdict_of(audit); }, found);
}

bool AuditResult::ok() const {
  const std::string own = verdict();
  if (const ExhaustiveAudit* audit = exhaustive()) {
    return own == "passes" || (own == "passes except" && audit->accepted);
  }
  if (statistical()->expect == Expectation::kFails) return own == "contradicted" || own == "deviates";
  // Who expects no more than that has it where all inputs were tried.
  if (statistical()->expect == Expectation::kPassesForTried && own == "passes") return true;
  return own == word_of(statistical()->expect);
}

bool AuditResult::undecided() const {
  const std::string own = verdict();
  if (exhaustive() != nullptr) return own == "undecided" || (own == "passes except" && !ok());
  if (own == kPassesForTried && statistical()->expect == Expectation::kPasses) return true;
  return !ok() && own == "interrupted";
}

bool AuditResult::failed() const {
  return statistical() != nullptr && statistical()->interrupted && !statistical()->interrupted.by_limit;
}

}  // namespace oddsbound::results
