#include <fmt/format.h>

#include "reports/check.h"
#include "reports/markup.h"
#include "results/words.h"

namespace oddsbound {

namespace {

std::string md(const std::string& text) { return escaped_markdown(text); }

std::string mark_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kPass: return "✅";
    case Outcome::kNote: return "ℹ️";
    case Outcome::kUndecided: return "❔";
    case Outcome::kFail:
    case Outcome::kError: break;
  }
  return "❌";
}

std::string table_of(const Checks& checks, bool bad) {
  std::string text = "| | file | check | found |\n| --- | --- | --- | --- |\n";
  for (const Check& check : checks.list) {
    if (Checks::is_bad(check.outcome) != bad) continue;
    std::string file = md(check.suite);
    if (bad && check.place.line > 0) file += fmt::format(":{}", check.place.line);
    text += fmt::format("| {} {} | {} | {} | {} |\n", mark_of(check.outcome), outcome_word(check.outcome), file,
                        md(check.title), md(check.message));
  }
  return text;
}

std::string level_markdown(const std::string& epsilon, double nats) {
  constexpr std::size_t kLongest = 40;
  const std::string decimal = fmt::format("{:.4f}", nats);
  return epsilon.size() > kLongest ? decimal
                                   : md(epsilon) + (epsilon == "inf" || epsilon == "0" ? "" : " = " + decimal);
}

std::string cell(const ByName<ReportLevel>& levels, std::size_t i) {
  return i < levels.size() ? level_markdown(levels[i].second.epsilon, levels[i].second.nats) : "";
}

std::string levels_markdown(const ReportSpec& spec) {
  std::string text =
      "| attribute | coordinate DP | Bayesian coordinate DP | bound of Prop. 4 |\n| --- | --- | --- | --- |\n";
  for (std::size_t i = 0; i < spec.cdp.size(); ++i) {
    text += fmt::format("| {} | {} | {} | {} |\n", md(spec.cdp[i].first), cell(spec.cdp, i), cell(spec.bcdp, i),
                        cell(spec.proposition_4, i));
  }
  if (spec.ldp) text += fmt::format("\nLocal DP: {}\n", level_markdown(spec.ldp->epsilon, spec.ldp->nats));
  return text;
}

}  // namespace

std::string markdown_checks(const Checks& checks) {
  if (checks.list.empty()) return "";
  const std::size_t passed = checks.count(Outcome::kPass) + checks.count(Outcome::kNote);
  std::string text = fmt::format("## oddsbound: {}, {} as expected, {} not, {} undecided, {} with errors\n\n",
                                 counted(checks.list.size(), "check"), passed, checks.count(Outcome::kFail),
                                 checks.count(Outcome::kUndecided), checks.count(Outcome::kError));
  if (passed < checks.list.size()) text += table_of(checks, true) + "\n";
  if (passed > 0) {
    text += fmt::format("<details><summary>{} as expected</summary>\n\n{}\n</details>\n", counted(passed, "check"),
                        table_of(checks, false));
  }
  return text;
}

std::string markdown_report(const Report& report, const Checks& checks) {
  std::string text = markdown_checks(checks);
  for (const ReportSpec& spec : report.specs) {
    if (spec.cdp.empty()) continue;
    text += fmt::format("\n### {}\n\n{}, {} inputs, {} outputs\n\n", md(spec.name), md(spec.file), md(spec.inputs),
                        md(spec.outputs)) +
            levels_markdown(spec);
  }
  return text;
}

}  // namespace oddsbound
