#include "results/release_result.h"

#include <algorithm>

#include "results/document.h"
#include "results/rounded_up.h"

namespace oddsbound::results {

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
  fields.where(step.numbers.has_value(), "numbers", step.numbers);
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
  fields.derived("pure_at_most", rounded_up(entry.pure));
  fields.derived("rho_at_most", rho_at_most(entry.rho));
  fields.derived("odds_move_at_most", odds_at_most(entry.pure));
  fields.derived("belief_moves_at_most", belief_at_most(entry.pure));
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

std::string rho_at_most(const Number& rho) {
  constexpr int kDigits = 10;
  return rounded_up(rho, kDigits);
}

}  // namespace oddsbound::results
