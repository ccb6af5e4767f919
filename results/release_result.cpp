#include "results/release_result.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "results/document.h"
#include "results/rounded_up.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"

namespace oddsbound::results {

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
void describe(Fields& fields, ReleasedStep& step) {
  fields.object("a step");
  fields.field("what", step.what);
  fields.where(step.people_needed.has_value(), "people_needed", step.people_needed);
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

// What no release costs is no ledger, and its figures cannot be told.
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
  return read_document<ReleaseResult>(document, budget);
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

// The logarithm of 2, rounded down: what is divided by it is rounded up.
Number log_of_2() {
  static const Number below =
      Number::from_digits("69314718055994530941723212145817656807", "100000000000000000000000000000000000000");
  return below;
}

// Powers of 2 are told exactly.
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
  if (!entry.pure.is_infinite()) nats = std::min(nats, mechanisms::pure_loss(entry.pure).rho);
  return rounded_up(std::min(nats / log_of_2(), bits_of_values(entry.values)));
}

std::string rho_at_most(const Number& rho) {
  constexpr int kDigits = 10;
  return rounded_up(rho, kDigits);
}

}  // namespace oddsbound::results
