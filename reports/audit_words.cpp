// Text of audits.

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "reports/audit_result.h"
#include "reports/claim_words.h"
#include "reports/publishable.h"
#include "reports/words.h"
#include "specs/spec_error.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::reports {

namespace {

constexpr std::size_t kMostDeviations = 20;
constexpr std::size_t kLongestStated = 60;  // characters

std::string trimmed(double value) {
  if (std::isinf(value)) return "inf";
  std::string text = fmt::format("{:.5f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}
// Decimals rounded down (at_least) or up (at_most).
std::string at_least(double value) { return trimmed(std::floor(value * 1e5) / 1e5); }
std::string at_most(double value) { return trimmed(std::ceil(value * 1e5) / 1e5); }

// Bounds rounded for publication already have few digits.
std::string bound_words(const AuditedLevel& level, double value, bool up) {
  if (level.rounded) return std::isinf(value) ? "inf" : fmt::format("{:.12g}", value);
  return up ? at_most(value) : at_least(value);
}

std::string short_party(const Label& party) {
  if (const auto* label = std::get_if<std::string>(&party)) return printable(*label, 40);
  return printable(party_label(party), 40);
}

// Explains trivial bounds (0 or inf).
std::string empty_bounds_lines(const AuditedLevel& level) {
  std::string text;
  if (!(level.at_least > 0)) {
    text += level.sides.empty() ? "      at least 0: no output distinguishes two sides at this confidence\n"
            : level.delta_at    ? "      at least 0: delta 0 explains this accuracy\n"
                                : "      at least 0: chance explains this accuracy\n";
  }
  if (level.at_most && std::isinf(*level.at_most)) {
    text += "      at most inf: the runs do not rule out that one side never has some output\n";
  }
  return text;
}

std::string ceiling_words(const AuditedLevel& level) {
  const std::string most = level.ceiling > 0 ? bound_words(level, level.ceiling, false) : "0";
  return std::string("largest detectable ") + (level.delta_at ? "delta" : "level") + " at this sample size: " + most;
}

std::string level_lines(const AuditedLevel& level, const StatisticalAudit& audit) {
  constexpr std::size_t kLongestTitle = 120;
  const std::string title =
      level.is_implied() ? printable(level.title(), kLongestTitle) + ":"
                         : printable(level.about.empty() ? level.notion : level.notion + " " + level.about, 60) +
                               (level.delta_at ? " at " + printable(level.delta_at->to_string(), 30) + ": delta" : "");
  std::string text = fmt::format("    {:<18} at least {}", title, bound_words(level, level.at_least, false));
  if (level.at_most) text += fmt::format(", at most {}", bound_words(level, *level.at_most, true));
  text += "\n      " + game_words(level, audit) + "; " + ceiling_words(level) + "\n" + empty_bounds_lines(level);
  for (const AuditedClaim& claim : level.claims) {
    const std::string value = printable(shorter_text(claim.claimed.text()), 40);
    text += claim.implied_by.empty()
                ? fmt::format("      claim {}: {} is {}\n", claim.index, value, contradicted_words(claim))
                : fmt::format("      claim {}, {}, implies at most {}: {}\n", claim.index,
                              printable(claim.implied_by, 120), value, contradicted_words(claim));
  }
  return text;
}

// Up to six significant digits, rounded down or up.
std::string delta_text(const Number& delta, bool up) {
  constexpr int kDigits = 6;
  const DecimalBounds bounds = decimal_bounds(delta);
  return rounded_decimal(up ? bounds.upper : bounds.lower, kDigits, up);
}

std::string stated_delta(const AuditedDelta& point) {
  if (!point.stated_at_most || !point.stated_at_least) return "not computed: a limit was reached";
  const std::string low = delta_text(*point.stated_at_least, false), high = delta_text(*point.stated_at_most, true);
  // Both ends of an exact value differ in the last digit at most.
  const bool same = (*point.stated_at_most - *point.stated_at_least) * Number(1'000'000) <= *point.stated_at_most;
  return same ? high : low + " to " + high;
}

std::string curve_lines(const AuditedCurve& curve) {
  std::string text = fmt::format("    delta from {} ({} runs) to {} ({} runs)\n      {:<14} {:<14} {:<26} {}\n",
                                 short_party(curve.from), curve.runs_from, short_party(curve.to), curve.runs_to,
                                 "epsilon", "at least", "stated channel, at most", "runs in the event");
  for (const AuditedDelta& point : curve.points) {
    text += fmt::format("      {:<14} {:<14} {:<26} {} and {}{}\n", printable(point.epsilon.to_string(), 14),
                        delta_text(point.at_least, false), stated_delta(point), point.in_from, point.in_to,
                        point.exceeds() ? "  EXCEEDS the stated channel" : "");
  }
  return text;
}

std::string deviation_for_others(const DeviatingEntry& entry) {
  const std::string interval =
      entry.interval ? fmt::format("in [{:.12g}, {:.12g}], ", entry.interval->first, entry.interval->second) : "";
  return fmt::format("    input {}, output `{}`: {}stated {}{}\n", printable(party_label(entry.input), 60),
                     printable(entry.output, 60), interval, number_and_about(entry.stated, kLongestStated),
                     entry.as_a_whole ? "; the outputs of this input deviate as a whole" : "");
}

std::string deviation_line(const DeviatingEntry& entry) {
  if (entry.rounded) return deviation_for_others(entry);
  const double share = static_cast<double>(entry.count) / static_cast<double>(entry.runs);
  const std::string interval =
      entry.interval ? fmt::format(", in [{}, {}]", at_least(entry.interval->first), at_most(entry.interval->second))
                     : "";
  return fmt::format("    input {}, output `{}`: {} of {} runs ({:.6f}{}), stated {}{}\n",
                     printable(party_label(entry.input), 60), printable(entry.output, 60), entry.count, entry.runs,
                     share, interval, number_and_about(entry.stated, kLongestStated),
                     entry.as_a_whole ? "; the outputs of this input deviate as a whole" : "");
}

std::string again_words(const std::optional<double>& share) {
  return share ? fmt::format(", equal in a fraction {} of the runs", at_most(*share)) : ": too few runs to say";
}

std::string requests_line(const StatisticalAudit& audit) {
  if (!audit.requests || !audit.dependence.empty()) return "";
  const RequestsCompared& requests = *audit.requests;
  if (requests.only == 0) {
    // An untested audit has already been reported.
    return audit.dependence_untested.empty() ? "    too few runs to compare requests of different sizes\n" : "";
  }
  return fmt::format(
      "    requests look alike, whatever their size: {} small ones were mixed in; compared: {} single outputs,\n"
      "      {} first ones, {} pairs of large requests\n",
      requests.small_requests, requests.only, requests.first, requests.pairs);
}

std::string independence_lines(const StatisticalAudit& audit) {
  if (!audit.dependence_untested.empty()) {
    return "  whether runs are independent was not tested: " + audit.dependence_untested + "\n" + requests_line(audit);
  }
  if (!audit.dependence_power || !audit.dependence.empty()) return "";
  const DependencePower& power = *audit.dependence_power;
  std::string text = "  runs look independent, as far as seen";
  if (power.runs > 0) text += fmt::format(" in {} runs", power.runs);
  if (!power.within && !power.across) {
    text += ", which are too few to say what would have been found\n";
  } else {
    text += fmt::format(
        "; would have been found with probability 0.99:\n"
        "    the output 1 to {} runs or half a batch before{}\n"
        "    the output at the same place of the batch before{}\n",
        kRepeatLags, again_words(power.within), again_words(power.across));
  }
  if (!power.stretches)
    text += "    outputs vary too little for comparing stretches of them, or starts of the program\n";
  return text + requests_line(audit);
}

std::string inputs_lines(const ChosenInputs& inputs) {
  const TriedInputs& tried = inputs.tried;
  std::string text;
  if (tried.compared() > 0) {
    text += fmt::format(
        "  tried {} of {} inputs: {} likely under the prior, {} that attain stated levels, {} random, {} neighbors of "
        "these;\n    the others are not tested\n",
        tried.compared(), inputs.of.to_string(), tried.prior, tried.witness, tried.random, tried.neighbor);
  }
  if (tried.given_labels > 0) {
    text += fmt::format("  values and labels: {} runs, each for an input drawn from the prior given one\n",
                        tried.given_labels);
  }
  return text;
}

}  // namespace

std::string game_words(const AuditedLevel& level, const StatisticalAudit& audit) {
  const bool recorded = !audit.sampler.transcript.empty();
  if (level.sides.empty()) return recorded ? "no hypotheses to distinguish" : "no attack was found";
  if (recorded && level.sides.size() == 2) {
    return fmt::format("{}from {} against {}",
                       level.output.empty() ? "" : "output `" + printable(level.output, 40) + "` ",
                       short_party(level.sides[0]), short_party(level.sides[1]));
  }
  const std::string among = level.sides.size() == 2
                                ? "between " + short_party(level.sides[0]) + " and " + short_party(level.sides[1])
                                : fmt::format("among {} inputs or values", level.sides.size());
  if (level.rounded) return "attack: guessing " + among;
  const std::string rounds =
      level.score.rounds == level.score.guesses ? "" : fmt::format(" in {} rounds", level.score.rounds);
  return fmt::format("attack: {}/{} correct{}, guessing {}", level.score.right, level.score.guesses, rounds, among);
}

std::string exact_level_words(const AuditedLevel& level) {
  if (!level.exact) return "";
  const Level* known = level.exact->level();
  const Number* delta = level.exact->number();
  if (!level.exact_rounded || (known != nullptr && (known->is_zero() || known->is_infinite())))
    return level.exact->text();
  if (known != nullptr) return published_text(*known) + " (rounded up)";
  return delta->is_zero() ? "0" : decimal_text(*delta) + " (rounded up)";
}

std::string contradicted_words(const AuditedClaim& claim) {
  if (!claim.contradicted) return "not contradicted";
  return claim.expect_holds ? "CONTRADICTED" : "contradicted, as it should be";
}

std::string confidence_words(double error) { return fmt::format("{:.12g} %", 100 * (1 - error)); }

namespace {

std::string power_words(const std::optional<double>& power) {
  if (!power) return "power is\n    unknown for an audit that may stop at any time";
  if (*power >= 1) return "too few runs to\n    state its power";
  return fmt::format(
      "a change by {} in total variation\n    at any of these inputs would have been found with probability 0.99",
      at_most(*power));
}

}  // namespace

std::string agreement_text(const AuditResult& result) {
  const StatisticalAudit& audit = *result.statistical();
  const AgreementResult& agreement = audit.agreement;
  if (!agreement.untested.empty())
    return "  agreement with the stated channel was not tested: " + agreement.untested + "\n";
  std::string text;
  if (agreement.deviations.empty()) {
    text = fmt::format("  agrees with the stated channel, as far as seen: {} entries of {} inputs", agreement.entries,
                       agreement.inputs);
    return text + "; " + power_words(agreement.power) + "\n";
  }
  text = "  DEVIATES from the stated channel:\n";
  for (std::size_t i = 0; i < std::min(agreement.deviations.size(), kMostDeviations); ++i) {
    text += deviation_line(agreement.deviations[i]);
  }
  if (agreement.deviations.size() > kMostDeviations) {
    text += fmt::format("    ... at {} inputs in all\n", agreement.deviations.size());
  }
  if (!audit.contradicts_claims() && !audit.exceeds_curve()) {
    text += "  this contradicts no claim: the sampler is not the stated one, which may or may not cost privacy\n";
  }
  return text;
}

std::string left_out_words(const ClaimLeftOut& claim) {
  return fmt::format("  claim {} ({}) is not audited: {}\n", claim.claim, printable(claim.what, 60), claim.reason);
}

std::string runs_text(const AuditResult& result) {
  const StatisticalAudit& audit = *result.statistical();
  std::string text = fmt::format("  {}: {} runs", result.verdict(), audit.runs);
  if (audit.sampler.transcript.empty()) text += fmt::format(", seed {}", audit.seed);
  if (audit.expect != Expectation::kPasses) text += fmt::format("; expected: {}", word_of(audit.expect));
  text += "\n";
  if (audit.inputs) text += inputs_lines(*audit.inputs);
  for (const ClaimLeftOut& claim : audit.left_out) text += left_out_words(claim);
  if (audit.interrupted) text += "  INTERRUPTED: " + audit.interrupted.reason + "\n";
  for (const std::string& found : audit.dependence) text += "  RUNS ARE NOT INDEPENDENT: " + found + "\n";
  if (!audit.dependence.empty()) text += "  the results below assume independent runs and may be wrong\n";
  return text + independence_lines(audit);
}

std::string bounds_text(const StatisticalAudit& audit) {
  std::string text = fmt::format("  with confidence {} for all bounds together:\n", confidence_words(audit.error));
  for (const AuditedLevel& level : audit.levels) text += level_lines(level, audit);
  if (audit.curve) text += curve_lines(*audit.curve);
  if (std::any_of(audit.levels.begin(), audit.levels.end(), [](const AuditedLevel& level) { return level.at_most; })) {
    text += "    (\"at most\" assumes that the sampler has only the outputs of the spec)\n";
  }
  return text;
}

// Exhaustive audits

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
