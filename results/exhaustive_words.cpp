// An audit by exhaustion in words.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "results/audit_words.h"
#include "results/words.h"
#include "specs/spec_error.h"

namespace oddsbound::results {

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

// A few digits, never less than it is.
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

}  // namespace oddsbound::results
