// Text of the result of `tune`.

#include <fmt/format.h>
#include <algorithm>

#include "reports/claim_words.h"
#include "reports/level_fields.h"
#include "reports/tune_result.h"
#include "reports/words.h"
#include "verifier/exact/decimal.h"
#include "verifier/notions/notion.h"

namespace oddsbound::reports {

namespace {

const char* word_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds: return "hold";
    case Verdict::kRefuted: return "fail";
    case Verdict::kUndecided: break;
  }
  return "are undecided";
}

std::string counted_values(std::size_t count) { return counted(count, "value"); }

// "the claims hold from 0 to 1/4, fail from 1/2 to 3/4, hold at 1"
std::string runs_words(const TuneResult& result) {
  std::vector<std::string> parts;
  for (const TunedRun& run : result.runs()) {
    const std::string first = result.points[run.first].value.text(), last = result.points[run.last].value.text();
    parts.push_back(word_of(run.verdict) +
                    (first == last ? " at " + first : fmt::format(" from {} to {}", first, last)));
  }
  return "the claims " + joined(parts);
}

std::string outermost(const TuneResult& result) { return result.smallest ? "smallest" : "largest"; }

// The two ends of the boundary, or why there are none.
std::string found_words(const TuneResult& result) {
  const auto holds = result.holds_at();
  const std::size_t count = result.points.size() - result.undecided();
  if (!holds) {
    return count == 0 ? "nothing was decided"
                      : "the claims hold at none of the " + counted_values(count) + " that were decided";
  }
  const auto fails = result.fails_at();
  const std::string there = printable(result.parameter) + " = " + value_words(result.points[*holds].value);
  if (!fails) {
    const bool everywhere = count == result.points.size() && result.runs().size() == 1;
    const bool open = result.smallest ? result.range.from_open : result.range.to_open;
    return "the claims hold at " +
           (everywhere ? "all " + counted_values(count) + " that were decided, up to the " : "the ") +
           outermost(result) + (open ? " of them, " : " value of the range, ") + there;
  }
  if (result.points[*fails].verdict() != Verdict::kRefuted) {
    return "the claims hold at " + there + "; at " + value_words(result.points[*fails].value) + ", the next value " +
           (result.smallest ? "below" : "above") + ", they are undecided";
  }
  std::string words =
      outermost(result) + ": the claims hold at " + there + " and fail at " + value_words(result.points[*fails].value);
  if (result.is_exact()) words += "; this is exactly the " + outermost(result) + " value";
  if (!result.narrow()) words += ", which is farther away than --width";
  return words;
}

// A level that equals its bound at the result and exceeds it at the next value.
std::string bound_words(const TuneResult& result) {
  const auto holds = result.holds_at(), fails = result.fails_at();
  if (!holds || !fails) return "";
  const TunedPoint& inside = result.points[*holds];
  const TunedPoint& outside = result.points[*fails];
  for (std::size_t i = 0; i < inside.claims.size() && i < outside.claims.size(); ++i) {
    if (outside.claims[i].verdict != Verdict::kRefuted) continue;
    const auto beyond = levels_of(outside.claims[i]);
    for (const TunedLevel& level : levels_of(inside.claims[i])) {
      const bool over = std::any_of(beyond.begin(), beyond.end(), [&](const TunedLevel& other) {
        return other.name == level.name && other.over_bound;
      });
      if (!level.at_bound || !over) continue;
      return "at " + inside.value.text() + " " + inside.claims[i].notion +
             (level.name.empty() ? "" : " of " + printable(level.name, 40)) + " is exactly what is claimed, " +
             level.text;
    }
  }
  return "";
}

std::string proven_words(const TuneResult& result) {
  const bool by_runs = result.integers && result.proven;  // tune asks Z3 nothing about whole numbers
  if (by_runs) {
    return "more runs reveal no less, so the claims hold for every whole number with " +
           result.proven->text(printable(result.parameter));
  }
  if (result.proven) return "proven by Z3 for every value with " + result.proven->text(printable(result.parameter));
  if (result.integers) {
    const Number between = result.points.back().value.number - result.points.front().value.number + Number(1);
    const bool all = between == Number(static_cast<std::int64_t>(result.points.size()));
    return all ? "every whole number in the range was decided"
               : "whole numbers that are not listed below were not decided";
  }
  const std::string between = "nothing is proven between the decided values";
  return result.not_proven.empty() ? between : between + " (" + result.not_proven + ")";
}

std::string undecided_words(const TuneResult& result) {
  const auto open = std::find_if(result.points.begin(), result.points.end(),
                                 [](const TunedPoint& point) { return point.verdict() == Verdict::kUndecided; });
  if (open == result.points.end()) return "";
  return fmt::format("undecided at {}, the first is {}: {}", counted_values(result.undecided()), open->value.text(),
                     open->open_reason());
}

std::string failing_words(const TuneResult& result) {
  if (!result.proven_to_fail) {
    const bool silent = !result.proven || !result.fails_at();
    return silent ? "" : "nothing is proven between values at which they fail";
  }
  return std::string(result.integers ? "and fail for every whole number with "
                                     : "proven by Z3 to fail for every value with ") +
         result.proven_to_fail->text(printable(result.parameter));
}

TunedLevel level_of(const std::string& name, const MeasuredLevel& measured, const Claimed* claimed) {
  TunedLevel level{name, known_words(measured), rounded_nats(measured.at_least), std::nullopt, false, false};
  const Level* bound = claimed == nullptr ? nullptr : claimed->level_of(name);
  if (!measured.unfinished && !measured.rounded) level.text = level_words(measured.at_least);
  if (bound == nullptr) return level;
  level.bound = rounded_nats(*bound);
  if (measured.rounded) return level;
  level.at_bound = !measured.unfinished && measured.at_least == *bound;
  level.over_bound = measured.at_least > *bound;
  return level;
}

}  // namespace

std::string outcome_of(const ClaimResult& claim) {
  if (claim.verdict == Verdict::kUndecided) return "undecided";
  return claim.verdict == Verdict::kHolds ? claim.holding() : "fails";
}

std::vector<TunedLevel> levels_of(const ClaimResult& claim) {
  const Claimed* claimed = claim.claimed ? &*claim.claimed : nullptr;
  const Actual& actual = claim.decision.actual;
  std::vector<TunedLevel> levels;
  if (const auto* measured = single_level(actual)) {
    const bool one = claimed == nullptr || claimed->form == ClaimForm::kLevel;
    levels.push_back(level_of("", *measured, one ? claimed : nullptr));
  }
  if (const auto* measured = std::get_if<NamedLevels>(&actual)) {
    for (const auto& [coordinate, one] : *measured) levels.push_back(level_of(coordinate, one, claimed));
  }
  if (const auto* number = std::get_if<MeasuredNumber>(&actual)) {
    const bool rounded = number->witness.withheld && !number->at_least.is_zero();
    const std::string text = number->unfinished ? between_words(*number)
                             : rounded ? kind_words(number->kind) + " at most " + decimal_text(number->at_least)
                                       : number_is(number->kind, number_text(number->at_least));
    TunedLevel level{"", text, number->at_most().approx(), std::nullopt, false, false};
    for (std::size_t i = 0; claimed != nullptr && i < claimed->values.size(); ++i) {
      const Number* bound = claimed->values[i].second.number();
      if (bound == nullptr) continue;
      level.bound = bound->approx();
      if (rounded) continue;
      level.at_bound = !number->unfinished && number->at_least == *bound;
      level.over_bound = number->at_least > *bound;
    }
    levels.push_back(std::move(level));
  }
  return levels;
}

std::string value_words(const TunedValue& value) {
  const std::string text = value.text(), decimal = fmt::format("{:.10g}", value.approx());
  return text == decimal ? text : text + " = " + decimal;
}

std::vector<TunedClaimWords> claims_at(const TuneResult& result, std::size_t place) {
  std::vector<TunedClaimWords> all;
  for (const ClaimResult& claim : result.points[place].claims) {
    const ClaimWords words = claim_words(claim);
    all.push_back({tone_of(claim.verdict), words.claim, outcome_of(claim),
                   claim.verdict == Verdict::kUndecided ? words.verdict : words.found,
                   witness_words(claim.decision.witness, result.coordinates)});
  }
  return all;
}

std::string levels_words(const TunedPoint& point) {
  std::vector<std::string> levels;
  for (const ClaimResult& claim : point.claims) {
    for (const TunedLevel& level : levels_of(claim)) {
      levels.push_back(claim.notion + (level.name.empty() ? " " : " " + printable(level.name, 40) + " ") + level.text);
    }
  }
  if (point.verdict() == Verdict::kUndecided) levels.push_back(point.open_reason());
  return joined(levels);
}

std::string sought_words(const TuneResult& result) {
  return fmt::format("the {} {} with {} for which the claims hold", outermost(result), printable(result.parameter),
                     result.range.text(printable(result.parameter)));
}

std::vector<std::string> tune_words(const TuneResult& result) {
  std::vector<std::string> sentences{found_words(result)};
  const std::size_t runs = result.runs().size();
  const std::string many = fmt::format("the verdict changes {} times: {}", runs - 1, runs_words(result));
  for (const std::string& sentence : {bound_words(result), runs > 2 ? many : "", proven_words(result),
                                      failing_words(result), undecided_words(result)}) {
    if (!sentence.empty()) sentences.push_back(sentence);
  }
  return sentences;
}

std::string text_tune(const TuneResult& result) {
  std::string text = printable(result.name) + "  " + printable(result.file, 200) + "\n  " + sought_words(result);
  text += (result.written.empty() ? "" : "; the spec has " + printable(result.written)) + "\n";
  for (const std::string& symbol : result.symbols) text += "  for all " + printable(symbol) + "\n";
  for (const std::string& note : result.notes) text += "  note: " + printable(note, 400) + "\n";
  for (const std::string& sentence : tune_words(result)) text += "  " + sentence + "\n";
  for (const auto& place : {result.holds_at(), result.fails_at()}) {
    if (!place) continue;
    text += "  at " + value_words(result.points[*place].value) + "\n";
    for (const TunedClaimWords& words : claims_at(result, *place)) {
      const std::string outcome = words.tone == Tone::kOpen ? words.found
                                  : words.found.empty()     ? words.outcome
                                                            : words.outcome + ": " + words.found;
      text += fmt::format("    {} {}: {}\n", mark_of(words.tone), words.claim, sentence({outcome, words.witness}));
    }
  }
  text += "  decided at\n";
  for (const TunedPoint& point : result.points) {
    if (!point.on_grid && !result.integers) continue;
    text += fmt::format("    {:<24} {:<9} {}\n", value_words(point.value), point.word(), levels_words(point));
  }
  return text;
}

}  // namespace oddsbound::reports
