// JSON and text of an exhaustive audit.

#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <map>

#include "reports/audit_json.h"
#include "reports/audit_result.h"
#include "reports/fields.h"
#include "reports/words.h"
#include "specs/spec_error.h"

namespace oddsbound::reports {

namespace {

const std::vector<std::string> kChoiceVerdicts = {"passes", "fails", "not enumerated"};
const std::vector<std::string> kShownByWords = {"enumeration", "branches", "induction", "nothing"};

}  // namespace

template <typename Fields>
void describe(Fields& fields, DerivedEntry& entry) {
  fields.object("an entry");
  bool numbered = entry.input.empty();
  if constexpr (Fields::kReads) numbered = !fields.members().require("input").is_array();
  if (numbered) {
    fields.field("input", entry.input_number);
    fields.field("output", entry.output_number);
  } else {
    fields.field("input", entry.input);
    fields.field("output", entry.output);
  }
  fields.field("stated", entry.stated);
  fields.field("lower", entry.lower);
  fields.field("upper", entry.upper);
}

template <typename Fields>
void describe(Fields& fields, DerivedChoice& choice) {
  fields.object("a choice");
  fields.field("choice", choice.what);
  fields.newer("runs", choice.runs);
  const bool shown = choice.by != ShownBy::kNothing;
  std::size_t verdict = choice.fails ? 1 : shown ? 0 : 2;
  fields.word("verdict", verdict, kChoiceVerdicts);
  choice.fails = verdict == 1;
  if constexpr (Fields::kReads) {
    choice.by = ShownBy::kNothing;
    if (const auto by = fields.members().find("by")) choice.by = static_cast<ShownBy>(result_word(*by, kShownByWords));
    // Versions up to 0.5.0 did not record the method.
    if (verdict != 2 && choice.by == ShownBy::kNothing) choice.by = ShownBy::kEnumeration;
  } else if (shown) {
    fields.word("by", choice.by, kShownByWords);
  }
  fields.where(!shown && !choice.reason.empty(), "reason", choice.reason);
  fields.newer("widest", choice.widest);
  fields.where(!choice.differs.empty(), "differs", choice.differs);
}

template <typename Fields>
void describe(Fields& fields, Derivation& derived) {
  fields.newer("entries", derived.entries);
  fields.newer("runs", derived.runs);
  fields.newer("parts", derived.parts);
  std::vector<std::pair<std::string, std::uint64_t>> composed{{"inputs", derived.inputs},
                                                              {"followed", derived.composed}};
  fields.where(derived.parts > 0, "composed", composed);
  for (const auto& [name, count] : composed) (name == "inputs" ? derived.inputs : derived.composed) = count;
  fields.newer("widest", derived.widest);
  fields.newer("choices", derived.choices);
  fields.newer("differs", derived.differs);
  fields.where(!derived.intervals.empty(), "intervals", derived.intervals);
}

namespace {

template <typename Fields>
void describe_derivation(Fields& fields, AuditResult& result) {
  auto& audit = std::get<ExhaustiveAudit>(result.found);
  fields.derived("verdict", result.verdict());
  fields.where(result.excepted(), "accepted", audit.accepted);
  fields.newer("files", result.files);
  if constexpr (Fields::kReads) {
    if (fields.members().require("verdict").text() != "undecided") audit.derived.emplace();
  } else {
    fields.derived("words", summary_lines(result));
  }
  audit.derived ? describe(fields, *audit.derived) : fields.newer("reason", audit.reason);
}

}  // namespace

void describe_exhaustive(FieldWriter& fields, AuditResult& result) { describe_derivation(fields, result); }
void describe_exhaustive(FieldReader& fields, AuditResult& result) { describe_derivation(fields, result); }

// Text of an exhaustive audit

namespace {

constexpr std::size_t kMostListed = 20;

std::string input_words(const DerivedEntry& entry) {
  if (entry.input.empty()) {
    return fmt::format("input number {} of a part, output number {}", entry.input_number, entry.output_number);
  }
  const std::string label =
      entry.output ? "output `" + printable(*entry.output) + "`" : "an output that the mechanism does not have";
  return "input " + printable(party_label(entry.input)) + ", " + label;
}

std::string interval_words(const DerivedEntry& entry) {
  return fmt::format("stated {}, the code's lies in [{}, {}]", printable(entry.stated.to_string(), 60), entry.lower,
                     entry.upper);
}

std::string failing_lines(const Derivation& derived) {
  std::string text;
  const auto& differs = derived.differs;
  for (std::size_t i = 0; i < std::min(differs.size(), kMostListed); ++i) {
    text += "    " + input_words(differs[i]) + ": " + interval_words(differs[i]) + "\n";
  }
  if (differs.size() > kMostListed) text += fmt::format("    ... {} entries in all\n", differs.size());
  for (const DerivedChoice& choice : derived.choices) {
    for (const DerivedEntry& entry : choice.differs) {
      text += fmt::format("    {}, outcome {}: {}\n", choice.what, entry.output_number, interval_words(entry));
    }
  }
  return text;
}

double rounded(const std::string& decimal) { return std::strtod(decimal.c_str(), nullptr); }

// A few digits, rounded up.
std::string width_words(double widest) {
  constexpr double kRoundUp = 1.1;  // shown with two digits
  return fmt::format("{:.1e}", widest * kRoundUp);
}

std::string exception_words(const Derivation& derived) {
  std::vector<const DerivedChoice*> exceptions;
  for (const DerivedChoice& choice : derived.choices) {
    if (choice.by == ShownBy::kNothing) exceptions.push_back(&choice);
  }
  if (exceptions.empty()) return "";
  std::string text = fmt::format(", except for {} choice{} too large to enumerate: ", exceptions.size(),
                                 exceptions.size() == 1 ? "" : "s");
  std::string reason;  // of the previous exception
  for (std::size_t i = 0; i < std::min(exceptions.size(), kMostListed); ++i) {
    text += (i > 0 ? ", " : "") + exceptions[i]->what;
    if (exceptions[i]->reason == reason) continue;
    reason = exceptions[i]->reason;
    if (!reason.empty()) text += " (" + reason + ")";
  }
  if (exceptions.size() > kMostListed) text += ", ...";
  return text + "\n ";
}

std::string choices_words(const Derivation& derived) {
  double widest = 0;
  std::map<ShownBy, std::size_t> counts;
  for (const DerivedChoice& choice : derived.choices) {
    widest = std::max(widest, rounded(choice.widest));
    ++counts[choice.by];
  }
  std::string text =
      fmt::format("  {} kind{} of random choices", derived.choices.size(), derived.choices.size() == 1 ? "" : "s");
  if (derived.choices.empty()) return text + "\n";
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
  return text + (widest == 0 ? "exactly\n" : "to within " + width_words(widest) + "\n");
}

std::string parts_words(const Derivation& derived) {
  if (derived.parts == 0) return "";
  std::string text = fmt::format(", each of {} independent parts alone, put together for ", derived.parts);
  return text + (derived.composed == derived.inputs ? "every input"
                                                    : fmt::format("{} of {} inputs", derived.composed, derived.inputs));
}

}  // namespace

std::string derivation_text(const AuditResult& audit) {
  if (!audit.exhaustive()->derived) return "  undecided: " + audit.exhaustive()->reason + "\n";
  const Derivation& derived = *audit.exhaustive()->derived;
  std::string text = audit.excepted() ? "  passes" + exception_words(derived) : "  " + audit.verdict() + ":";
  text += fmt::format(" {} entries from {} runs of the built-in sampler", derived.entries, derived.runs) +
          parts_words(derived);
  text += rounded(derived.widest) == 0
              ? "; every interval is a point\n"
              : "; every interval is at most " + width_words(rounded(derived.widest)) + " wide\n";
  return text + choices_words(derived) + failing_lines(derived);
}

}  // namespace oddsbound::reports
