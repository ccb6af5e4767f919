#include "releases/result.h"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <cmath>

#include "reports/layout.h"
#include "reports/level_fields.h"
#include "reports/publishable.h"
#include "reports/report.h"
#include "specs/spec_error.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"

namespace oddsbound::releases {

template <typename Fields>
void describe(Fields& fields, ReleasedNumber& number) {
  fields.object("a number that was released");
  fields.field("about", number.about);
  fields.where(number.number.has_value(), "number", number.number);
  fields.where(number.margin.has_value(), "margin_95", number.margin);
  if constexpr (Fields::kReads) {
    if (!number.margin || (std::isfinite(*number.margin) && *number.margin >= 0)) return;
    fields.members().require("margin_95").fail("expected how far numbers are from the truth, 0 or more");
  }
}

template <typename Fields>
void describe(Fields& fields, PlannedFigure& figure) {
  fields.object("a figure of a plan");
  fields.field("what", figure.what);
  fields.field("value", figure.value);
  fields.where(!figure.source.empty(), "source", figure.source);
}

template <typename Fields>
void describe(Fields& fields, ReleasedStep& step) {
  fields.object("a step");
  fields.field("what", step.what);
  fields.where(step.people_needed.has_value(), "people_needed", step.people_needed);
  fields.where(!step.plan.empty(), "plan", step.plan);
  fields.where(!step.notes.empty(), "notes", step.notes);
  fields.where(step.numbers.has_value(), "numbers", step.numbers);
}

template <typename Fields>
void describe(Fields& fields, EpsilonAtDelta& at) {
  fields.object("an epsilon at a delta");
  fields.field("delta", at.delta);
  fields.field("epsilon", at.epsilon);
}

namespace {

// Rejects values that no ledger has, whose derived figures could not be computed.
void require_ledger_line(const ResultObject& object, const LedgerEntry& entry) {
  if (std::find(entry.values.begin(), entry.values.end(), 0U) != entry.values.end()) {
    object.require("values").fail("found an attribute with 0 values, expected one or more");
  }
  if (entry.pure.surd() != nullptr) object.require("pure").fail("expected a level without roots");
  if (!entry.rho.is_rational() || entry.rho.sign() < 0) object.require("rho").fail("expected a fraction, 0 or more");
}

}  // namespace

template <typename Fields>
void describe(Fields& fields, LedgerEntry& entry) {
  fields.object("a line of the ledger");
  fields.field("of", entry.of);
  fields.field("attributes", entry.attributes);
  fields.field("values", entry.values);
  fields.field("pure", entry.pure);
  fields.field("rho", entry.rho);
  fields.field("at", entry.at);
  if constexpr (Fields::kReads) require_ledger_line(fields.members(), entry);
  fields.derived("pure_at_most", rounded_up(entry.pure));
  fields.derived("rho_at_most", rho_at_most(entry.rho));
  fields.derived("odds_move_at_most", odds_at_most(entry.pure));
  fields.derived("belief_moves_at_most", belief_at_most(entry.pure));
  fields.derived("bits_at_most", bits_at_most(entry));
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

bool is_release(const JsonDocument& document) {
  const JsonView root = document.root();
  return root.is_object() && ResultObject(root, "a result").find("ledger").has_value();
}

ReleaseResult release_from_json(const JsonDocument& document, Budget& budget) {
  ResultContext context(document.file(), budget);
  return Codec<ReleaseResult>::read(document.root(), context);
}

int ReleaseResult::exit_status() const {
  return std::any_of(ledger.begin(), ledger.end(), [](const LedgerEntry& entry) { return entry.exceeded; }) ? 1 : 0;
}

std::string odds_at_most(const Level& pure) { return pure.is_infinite() ? "inf" : rounded_up(pure.exponential()); }

std::string belief_at_most(const Level& pure) {
  if (pure.is_infinite()) return "1";
  const std::string rounded = rounded_up((pure.exponential() - Number(1)) / (pure.exponential() + Number(1)));
  return rounded.starts_with('1') ? "1" : rounded;
}

namespace {

// log(2), rounded down, so that quotients by it are rounded up.
Number log_of_2() {
  static const Number below =
      Number::from_digits("69314718055994530941723212145817656807", "100000000000000000000000000000000000000");
  return below;
}

// Exact for powers of 2.
Number bits_of_values(const std::vector<std::uint64_t>& values) {
  std::int64_t twos = 0;
  std::vector<WeightedLog> odd;
  for (const std::uint64_t value : values) {
    twos += std::countr_zero(value);
    const std::uint64_t rest = value >> std::countr_zero(value);
    if (rest > 1) odd.push_back({Number(1), Number::from_digits(std::to_string(rest), "1")});
  }
  constexpr int kDigits = 20;
  return Number(twos) + (odd.empty() ? Number(0) : parse_number(decimal_bounds(odd, kDigits).upper) / log_of_2());
}

}  // namespace

std::string bits_at_most(const LedgerEntry& entry) {
  Number nats = entry.rho;
  if (!entry.pure.is_infinite()) nats = std::min(nats, pure_loss(entry.pure).rho);
  return rounded_up(std::min(nats / log_of_2(), bits_of_values(entry.values)));
}

std::string rho_at_most(const Number& rho) {
  constexpr int kDigits = 10;
  return rounded_up(rho, kDigits);
}

namespace {

std::string budget_words(const LedgerEntry& entry) {
  std::string words;
  if (entry.most_pure) {
    words =
        "epsilon " + (is_short_decimal(*entry.most_pure) ? rounded_up(*entry.most_pure) : entry.most_pure->to_string());
  }
  if (entry.most_delta) words += " at delta " + decimal_text(*entry.most_delta);
  if (entry.most_rho) words += (words.empty() ? "rho " : ", rho ") + decimal_text(*entry.most_rho);
  return words;
}

std::string epsilons_words(const LedgerEntry& entry) {
  std::string words;
  for (const EpsilonAtDelta& one : entry.at) {
    words += fmt::format("{}({}, {})", words.empty() ? "" : " ", decimal_text(one.epsilon), decimal_text(one.delta));
  }
  return words;
}

// Width of descriptions of steps and numbers: a number of 32 digits stays readable.
constexpr std::size_t kWide = 400;

std::string numbers_text(const std::vector<ReleasedNumber>& numbers) {
  std::vector<std::vector<std::string>> rows;
  for (const ReleasedNumber& number : numbers) {
    rows.push_back(
        {printable(number.about, kWide), number.number ? std::to_string(*number.number) : "", margin_words(number)});
  }
  return rows.empty() ? "  none\n" : aligned(rows);
}

std::string steps_text(const ReleaseResult& result) {
  std::string text;
  for (const ReleasedStep& step : result.steps) {
    text += printable(step.what, kWide) + "\n";
    if (step.numbers) text += numbers_text(*step.numbers);
    for (const PlannedFigure& figure : step.plan) text += "  " + printable(figure_words(figure), kWide) + "\n";
    for (const std::string& note : step.notes) text += "  note: " + printable(note, kWide) + "\n";
  }
  return text;
}

}  // namespace

LedgerWords ledger_words(const LedgerEntry& entry) {
  return {rounded_up(entry.pure), odds_at_most(entry.pure), belief_at_most(entry.pure), bits_at_most(entry),
          rho_at_most(entry.rho), epsilons_words(entry),    budget_words(entry)};
}

std::string noise_words(const ReleaseResult& result) {
  return result.seed ? "noise from a seed: NOT private, because anyone with the seed can compute it"
                     : "noise from the system's generator";
}

// Whole numbers are written in full: they count people.
std::string figure_words(const PlannedFigure& figure) {
  constexpr double kMostWhole = 1e15;
  const bool whole = figure.value == std::floor(figure.value) && figure.value < kMostWhole;
  return figure.what + ": " + fmt::format(fmt::runtime(whole ? "{:.0f}" : "{:.6g}"), figure.value) +
         (figure.source.empty() ? "" : " (" + figure.source + ")");
}

std::string margin_words(const ReleasedNumber& number) {
  return number.margin ? fmt::format("+-{:.0f} (95 % interval)", *number.margin) : "";
}

std::string text_release(const ReleaseResult& result) {
  std::string text = printable(result.name);
  if (result.people) text += fmt::format(": {} people, {}", *result.people, noise_words(result));
  text += "\n\n" + steps_text(result) + "\nPrivacy cost, between tables that differ in one record:\n";
  std::vector<std::vector<std::string>> rows{
      {"attributes", "loss", "odds factor", "belief change", "bits", "rho", "(epsilon, delta)", "budget"}};
  for (const LedgerEntry& entry : result.ledger) {
    const LedgerWords words = ledger_words(entry);
    rows.push_back({printable(entry.of), words.loss, words.odds, words.belief, words.bits, words.rho, words.at,
                    words.budget + (entry.exceeded ? ": EXCEEDED" : "")});
  }
  text += aligned(rows) + "All numbers of this table are rounded up.\n";
  if (result.exit_status() != 0) text += "The budget is exceeded: no table was read, and nothing was published.\n";
  return text;
}

std::string csv_release(const ReleaseResult& result) {
  const std::string random = result.seed ? "seeded: NOT private" : "system";
  std::string text = "step,about,number,margin_95,random\n";
  for (std::size_t s = 0; s < result.steps.size(); ++s) {
    if (!result.steps[s].numbers) continue;
    for (const ReleasedNumber& number : *result.steps[s].numbers) {
      text += fmt::format("{},{},{},{},{}\n", s + 1, csv_cell_for_people(number.about),
                          number.number ? std::to_string(*number.number) : "",
                          number.margin ? csv_cell(*number.margin) : "", random);
    }
  }
  return text;
}

}  // namespace oddsbound::releases
