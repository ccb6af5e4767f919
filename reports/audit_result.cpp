#include "reports/audit_result.h"

#include <fmt/format.h>
#include <algorithm>
#include <sstream>

#include "reports/fields.h"
#include "specs/spec_error.h"

namespace oddsbound::reports {

namespace {

constexpr const char* kPassesForTried = "passes for the inputs tried";

std::string verdict_of(const StatisticalAudit& audit) {
  // The bounds assume independent runs.
  if (audit.contradicts_claims() && audit.dependence.empty()) return "contradicted";
  if (!audit.agreement.deviations.empty() || !audit.dependence.empty() || audit.exceeds_curve()) return "deviates";
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

bool StatisticalAudit::exceeds_curve() const {
  return curve &&
         std::any_of(curve->points.begin(), curve->points.end(), [](const auto& point) { return point.exceeds(); });
}

std::string AuditedLevel::title() const {
  if (is_implied()) {
    std::vector<std::size_t> indices;
    for (const AuditedClaim& claim : claims) indices.push_back(claim.index);
    return (delta_at ? "delta at " + delta_at->to_string() : std::string("level")) + " " +
           audits::title_of_implied(about, indices);
  }
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
  // If all inputs were tried, "passes" satisfies this weaker expectation.
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

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line.substr(std::min(line.find_first_not_of(' '), line.size())));
  return lines;
}

std::string sampler_title(const SamplerUsed& sampler) {
  if (!sampler.transcript.empty()) return "recorded runs, " + printable(sampler.transcript, 200);
  if (!sampler.function.empty()) return "the function `" + printable(sampler.function, 200) + "`";
  if (sampler.program.empty()) return "the built-in sampler";
  return "the program `" + printable(sampler.program, 200) + "`" +
         (sampler.one_process_per_sample ? ", one process per sample" : "");
}

}  // namespace

std::vector<std::string> summary_lines(const AuditResult& audit) {
  if (audit.exhaustive() != nullptr) return lines_of(derivation_text(audit));
  std::vector<std::string> lines =
      lines_of(runs_text(audit) + (audit.statistical()->runs == 0 ? "" : agreement_text(audit)));
  if (!audit.note.empty()) lines.push_back(audit.note);
  return lines;
}

std::string audit_text(const AuditResult& audit) {
  if (audit.exhaustive() != nullptr) {
    return fmt::format("{} ({})\n", printable(audit.name), printable(audit.file)) + derivation_text(audit);
  }
  const StatisticalAudit& found = *audit.statistical();
  const std::string head =
      fmt::format("{} ({}): {}\n", printable(audit.name), printable(audit.file, 200), sampler_title(found.sampler)) +
      runs_text(audit);
  const std::string note = audit.note.empty() ? "" : "  note: " + audit.note + "\n";
  return (found.runs == 0 ? head : head + bounds_text(found) + agreement_text(audit)) + note;
}

std::string sampler_words(const AuditResult& audit) {
  const StatisticalAudit* found = audit.statistical();
  if (found == nullptr) return "built in";
  const SamplerUsed& used = found->sampler;
  if (!used.transcript.empty()) return "recorded runs, " + used.transcript;
  if (!used.function.empty()) return "the function " + used.function;
  return used.program.empty() ? "built in" : "the program " + used.program;
}

}  // namespace oddsbound::reports
