#include "runs/exhaustive.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/errors.h"
#include "results/json_parts.h"
#include "verifier/exact/decimal.h"

namespace oddsbound {

namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t kMostListed = 20;

AuditResult audit_spec(const Spec& spec, const ExhaustiveOptions& options, Budget& budget) {
  AuditResult result{spec.file, spec.name, std::nullopt, "", spec.model.channel, spec.model.domain, spec.files};
  if (!spec.model.channel) {
    result.reason = "the mechanism's outputs are continuous: its sampler has no finite number of runs";
    return result;
  }
  try {
    result.check = check_exhaustively(*spec.model.channel, *spec.mechanism.sampler_or_rows(), options, budget);
  } catch (const LimitError& error) {
    result.reason = error.what();
  }
  return result;
}

bool whole(const AuditResult& audit) { return audit.check->parts == 0; }

Json entry_json(const AuditResult& audit, const CheckedEntry& entry) {
  Json json;
  if (whole(audit)) {
    json["input"] = audit.domain.tuple(entry.input);
    json["output"] =
        entry.output < audit.channel->outputs() ? Json(audit.channel->output_label(entry.output)) : Json(nullptr);
  } else {
    json["input"] = entry.input;
    json["output"] = entry.output;
  }
  json["stated"] = entry.stated.to_string();
  json["lower"] = decimal_bounds(entry.lower).lower;
  json["upper"] = decimal_bounds(entry.upper).upper;
  return json;
}

const char* name_of(ShownBy by) {
  switch (by) {
    case ShownBy::kEnumeration: return "enumeration";
    case ShownBy::kBranches: return "branches";
    case ShownBy::kInduction: return "induction";
    case ShownBy::kNothing: break;
  }
  return "nothing";
}

Json choice_json(const CheckedChoice& choice) {
  Json json{{"choice", choice.what}, {"runs", choice.runs}};
  const bool shown = choice.by != ShownBy::kNothing;
  json["verdict"] = !choice.differs.empty() ? "fails" : shown ? "passes" : "not enumerated";
  if (shown) json["by"] = name_of(choice.by);
  if (!shown && !choice.reason.empty()) json["reason"] = choice.reason;
  json["widest"] = decimal_bounds(choice.widest).upper;
  return json;
}

std::string audit_verdict(const AuditResult& audit) {
  if (!audit.check) return "undecided";
  if (!audit.check->passed()) return "fails";
  return audit.check->exceptions().empty() ? "passes" : "passes except";
}

std::string input_words(const AuditResult& audit, const CheckedEntry& entry) {
  if (!whole(audit)) return fmt::format("input number {} of a part, output number {}", entry.input, entry.output);
  const std::string label = entry.output < audit.channel->outputs()
                                ? "output `" + printable(audit.channel->output_label(entry.output)) + "`"
                                : "an output that the mechanism does not have";
  return "input " + printable(input_label(audit.domain, entry.input)) + ", " + label;
}

std::string interval_words(const CheckedEntry& entry) {
  return fmt::format("stated {}, the code's lies in [{}, {}]", printable(entry.stated.to_string(), 60),
                     decimal_bounds(entry.lower).lower, decimal_bounds(entry.upper).upper);
}

std::string failing_lines(const AuditResult& audit) {
  std::string text;
  const auto& differs = audit.check->differs;
  for (std::size_t i = 0; i < std::min(differs.size(), kMostListed); ++i) {
    text += "    " + input_words(audit, differs[i]) + ": " + interval_words(differs[i]) + "\n";
  }
  if (differs.size() > kMostListed) text += fmt::format("    ... {} entries in all\n", differs.size());
  for (const CheckedChoice& choice : audit.check->choices) {
    for (const CheckedEntry& entry : choice.differs) {
      text += fmt::format("    {}, outcome {}: {}\n", choice.what, entry.output, interval_words(entry));
    }
  }
  return text;
}

// A few digits, never less than it is.
std::string width_words(const Number& widest) {
  constexpr double kRoundUp = 1.1;  // shown with two digits
  return fmt::format("{:.1e}", widest.approx() * kRoundUp);
}

std::string exception_words(const ExhaustiveResult& check) {
  const std::vector<const CheckedChoice*> exceptions = check.exceptions();
  if (exceptions.empty()) return "";
  std::string text = fmt::format(", except for {} choice{} too large to enumerate: ", exceptions.size(),
                                 exceptions.size() == 1 ? "" : "s");
  std::string reason;  // of the one before
  for (std::size_t i = 0; i < std::min(exceptions.size(), kMostListed); ++i) {
    text += (i > 0 ? ", " : "") + exceptions[i]->what;
    if (exceptions[i]->reason == reason) continue;
    reason = exceptions[i]->reason;
    if (!reason.empty()) text += " (" + reason + ")";
  }
  if (exceptions.size() > kMostListed) text += ", ...";
  return text + "\n ";
}

std::string choices_words(const ExhaustiveResult& check) {
  Number widest(0);
  std::map<ShownBy, std::size_t> counts;
  for (const CheckedChoice& choice : check.choices) {
    widest = std::max(widest, choice.widest);
    ++counts[choice.by];
  }
  std::string text =
      fmt::format("  {} kind{} of random choices", check.choices.size(), check.choices.size() == 1 ? "" : "s");
  if (check.choices.empty()) return text + "\n";
  const char* separator = ", checked down to random words: ";
  const auto add = [&](ShownBy by, const char* words) {
    if (!counts.contains(by)) return;
    text += fmt::format("{}{} {}", separator, counts[by], words);
    separator = ", ";
  };
  add(ShownBy::kEnumeration, "on every sequence of draws");
  add(ShownBy::kBranches, "along every branch");
  add(ShownBy::kInduction, "by induction");
  add(ShownBy::kNothing, "not at all");
  text += counts.contains(ShownBy::kNothing) ? "; the others " : "; ";
  return text + (widest.is_zero() ? "exactly\n" : "to within " + width_words(widest) + "\n");
}

std::string parts_words(const ExhaustiveResult& check) {
  if (check.parts == 0) return "";
  std::string text = fmt::format(", each of {} independent parts alone, put together for ", check.parts);
  return text + (check.composed == check.inputs ? "every input"
                                                : fmt::format("{} of {} inputs", check.composed, check.inputs));
}

std::string audit_words(const AuditResult& audit) {
  if (!audit.check) return "  undecided: " + audit.reason + "\n";
  const ExhaustiveResult& check = *audit.check;
  const bool excepted = check.passed() && !check.exceptions().empty();
  std::string text = excepted ? "  passes" + exception_words(check) : "  " + audit_verdict(audit) + ":";
  text +=
      fmt::format(" {} entries from {} runs of the built-in sampler", check.entries, check.runs) + parts_words(check);
  text += check.widest.is_zero() ? "; every interval is a point\n"
                                 : "; every interval is at most " + width_words(check.widest) + " wide\n";
  return text + choices_words(check) + failing_lines(audit);
}

std::string audit_text(const AuditResult& audit) {
  return fmt::format("{} ({})\n", printable(audit.name), printable(audit.file)) + audit_words(audit);
}

Json audit_json(const AuditResult& audit, bool accept_exceptions) {
  Json json{{"file", audit.file}, {"name", audit.name}, {"kind", "exhaustive"}, {"verdict", audit_verdict(audit)}};
  if (json["verdict"] == "passes except") json["accepted"] = accept_exceptions;
  json["files"] = files_json(audit.files);
  json["words"] = lines_of(audit_words(audit));
  if (!audit.check) {
    json["reason"] = audit.reason;
    return json;
  }
  const ExhaustiveResult& check = *audit.check;
  json["entries"] = check.entries;
  json["runs"] = check.runs;
  json["parts"] = check.parts;
  if (check.parts > 0) json["composed"] = {{"inputs", check.inputs}, {"followed", check.composed}};
  json["widest"] = decimal_bounds(check.widest).upper;
  json["choices"] = Json::array();
  for (const CheckedChoice& choice : check.choices) json["choices"].push_back(choice_json(choice));
  json["differs"] = Json::array();
  for (const CheckedEntry& entry : check.differs) json["differs"].push_back(entry_json(audit, entry));
  if (!check.intervals.empty()) {
    json["intervals"] = Json::array();
    for (const CheckedEntry& entry : check.intervals) json["intervals"].push_back(entry_json(audit, entry));
  }
  return json;
}

}  // namespace

int AuditRun::exit_status() const {
  if (!errors.empty()) return 2;
  const auto any = [&](const std::string& verdict) {
    return std::any_of(audits.begin(), audits.end(), [&](const AuditResult& a) { return audit_verdict(a) == verdict; });
  };
  if (any("fails")) return 1;
  return any("undecided") || (any("passes except") && !accept_exceptions) ? 3 : 0;
}

AuditRun audit_files(std::span<const std::string> files, const ExhaustiveOptions& options, const Limits& limits) {
  AuditRun run;
  run.bound_bits = options.bound_bits;
  for (const std::string& file : files) {
    try {
      Budget budget(limits);
      const Spec spec = read_spec(file, budget);
      require_no_symbols(spec, "an audit");
      run.audits.push_back(audit_spec(spec, options, budget));
    } catch (const SpecError& error) {
      run.errors.push_back(file_error(error));
    } catch (const std::exception& error) {
      run.errors.push_back(file_error(file, error.what()));
    }
  }
  return run;
}

std::string json_audits(const AuditRun& run) {
  Json json = json_head();
  json["environment"] = environment_json();
  json["bound"] = "2^-" + std::to_string(run.bound_bits);
  json["audits"] = Json::array();
  std::map<std::string, int> counts;
  for (const AuditResult& audit : run.audits) {
    json["audits"].push_back(audit_json(audit, run.accept_exceptions));
    ++counts[audit_verdict(audit)];
  }
  add_errors(json, run.errors);
  json["summary"] = {{"audits", run.audits.size()},
                     {"passed", counts["passes"]},
                     {"excepted", counts["passes except"]},
                     {"failed", counts["fails"]},
                     {"undecided", counts["undecided"]}};
  return json_text(json);
}

std::string text_audits(const AuditRun& run) {
  std::string text;
  for (const AuditResult& audit : run.audits) text += audit_text(audit);
  return text;
}

}  // namespace oddsbound
