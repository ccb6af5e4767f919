#include "results/release_result.h"

#include <fmt/format.h>

#include <algorithm>

#include "results/document.h"
#include "results/wrap.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::results {

namespace {

constexpr int kDigits = 6;
constexpr int kDigitsOfRho = 10;

// The decimal itself where it has few digits, else rounded up to some.
bool is_short(const DecimalBounds& bounds) {
  constexpr std::size_t kShort = 8;
  return bounds.lower == bounds.upper && bounds.lower.size() <= kShort;
}

std::string above(const DecimalBounds& bounds, const WeightedLog& value, int digits = kDigits) {
  if (is_short(bounds)) return bounds.upper;
  const std::vector<WeightedLog> sum{value};
  return decimal_bounds(sum, digits).upper;
}

std::string above(const Number& number, int digits = kDigits) {
  return above(decimal_bounds(number), {number, Number::exp_of(Number(1))}, digits);
}

bool is_decimal(const Level& level) { return !level.is_infinite() && is_short(decimal_bounds(level)); }

std::string above(const Level& level) {
  if (level.is_infinite()) return "inf";
  return above(decimal_bounds(level), {Number(1), level.exponential()});
}

// By what factor odds move at most, and how far a belief: (e^loss - 1) / (e^loss + 1).
std::string odds_above(const Level& pure) { return pure.is_infinite() ? "inf" : above(pure.exponential()); }
std::string belief_above(const Level& pure) {
  if (pure.is_infinite()) return "1";
  const std::string rounded = above((pure.exponential() - Number(1)) / (pure.exponential() + Number(1)));
  return rounded.starts_with('1') ? "1" : rounded;
}

}  // namespace

template <typename Fields>
void describe(Fields& fields, ReleasedNumber& number) {
  fields.object("a number that was released");
  fields.field("about", number.about);
  fields.where(number.number.has_value(), "number", number.number);
  fields.where(number.margin.has_value(), "margin_95", number.margin);
}

template <typename Fields>
void describe(Fields& fields, ReleasedStep& step) {
  fields.object("a step");
  fields.field("what", step.what);
  fields.where(!step.numbers.empty(), "numbers", step.numbers);
}

template <typename Fields>
void describe(Fields& fields, EpsilonAtDelta& at) {
  fields.object("an epsilon at a delta");
  fields.field("delta", at.delta);
  fields.field("epsilon", at.epsilon);
}

template <typename Fields>
void describe(Fields& fields, LedgerEntry& entry) {
  fields.object("a line of the ledger");
  fields.field("of", entry.of);
  fields.field("attributes", entry.attributes);
  fields.field("pure", entry.pure);
  fields.field("rho", entry.rho);
  fields.field("at", entry.at);
  fields.derived("pure_at_most", above(entry.pure));
  fields.derived("rho_at_most", above(entry.rho, kDigitsOfRho));
  fields.derived("odds_move_at_most", odds_above(entry.pure));
  fields.derived("belief_moves_at_most", belief_above(entry.pure));
  fields.where(entry.most_pure.has_value(), "budget_epsilon", entry.most_pure);
  fields.where(entry.most_delta.has_value(), "budget_delta", entry.most_delta);
  fields.where(entry.most_rho.has_value(), "budget_rho", entry.most_rho);
  fields.field("exceeded", entry.exceeded);
}

template <typename Fields>
void describe(Fields& fields, ReleaseResult& result) {
  fields.object("a release");
  fields.field("file", result.file);
  fields.field("name", result.name);
  fields.where(result.people.has_value(), "people", result.people);
  if (result.people) {
    fields.derived("random", random_words(result.seed));
  }
  describe_seed(fields, result.seed);
  fields.field("steps", result.steps);
  fields.field("ledger", result.ledger);
}

std::string to_json(const ReleaseResult& result) { return document_of(result); }

ReleaseResult release_from_json(const JsonDocument& document, Budget& budget) {
  return read_document<ReleaseResult>(document, budget);
}

int ReleaseResult::exit_status() const {
  return std::any_of(ledger.begin(), ledger.end(), [](const LedgerEntry& entry) { return entry.exceeded; }) ? 1 : 0;
}

namespace {

std::string budget_words(const LedgerEntry& entry) {
  std::string words;
  if (entry.most_pure)
    words = "epsilon " + (is_decimal(*entry.most_pure) ? above(*entry.most_pure) : entry.most_pure->to_string());
  if (entry.most_delta) words += " at delta " + decimal_text(*entry.most_delta);
  if (entry.most_rho) words += (words.empty() ? "rho " : ", rho ") + decimal_text(*entry.most_rho);
  return words.empty() ? "" : words + (entry.exceeded ? ": EXCEEDED" : "");
}

std::string steps_text(const ReleaseResult& result) {
  std::string text;
  for (const ReleasedStep& step : result.steps) {
    constexpr std::size_t kWide = 240;
    text += printable(step.what, kWide) + "\n";
    std::vector<std::vector<std::string>> rows;
    for (const ReleasedNumber& number : step.numbers) {
      std::vector<std::string>& row = rows.emplace_back(1, printable(number.about));
      if (!number.number) continue;
      row.push_back(std::to_string(*number.number));
      row.push_back(number.margin ? fmt::format("within {:.0f} in 95 of 100 runs", *number.margin) : "");
    }
    if (!rows.empty()) text += aligned(rows);
  }
  return text;
}

}  // namespace

std::string text_release(const ReleaseResult& result) {
  std::string text = printable(result.name);
  if (result.people) {
    text += fmt::format(
        ": {} people, {}", *result.people,
        result.seed ? "seeded: NOT private, who knows the seed knows the noise" : "noise from the system's generator");
  }
  text += "\n\n" + steps_text(result) + "\nWhat it costs, between tables that differ in one record:\n";
  std::vector<std::vector<std::string>> rows{
      {"in", "loss", "odds move by", "belief by", "rho", "(epsilon, delta)", "budget"}};
  for (const LedgerEntry& entry : result.ledger) {
    std::string at;
    for (const EpsilonAtDelta& one : entry.at) {
      at += fmt::format("{}({}, {})", at.empty() ? "" : " ", decimal_text(one.epsilon), decimal_text(one.delta));
    }
    rows.push_back({printable(entry.of), above(entry.pure), odds_above(entry.pure), belief_above(entry.pure),
                    above(entry.rho, kDigitsOfRho), at, budget_words(entry)});
  }
  text += aligned(rows) + "All figures are rounded up.\n";
  if (result.exit_status() != 0) text += "The budget is exceeded: no table was read, nothing was released.\n";
  return text;
}

}  // namespace oddsbound::results
