// A release from a table of people: its steps, one after the other, and what they may cost.
#pragma once

#include <optional>

#include "mechanisms/releases/step.h"

namespace oddsbound::mechanisms {

/// What is the most that the release may cost over tables that differ in these attributes of one record.
struct BudgetLine {
  std::string of;  // "age", "age, ill", "a person"
  Attributes attributes;
  std::optional<Level> epsilon{};  // with delta: of (epsilon, delta)-DP
  std::optional<Number> delta{}, rho{};
};

/// What each step told.
using Told = std::vector<std::vector<std::int64_t>>;

struct Release {
  std::string name;
  Domain schema;
  std::vector<StepPtr> steps;
  std::vector<BudgetLine> budget;
  std::vector<Number> deltas{Number::ratio(1, 1'000'000)};  // for which epsilons are told where the budget names none

  /// Steps add up. That is the least that their losses say: none gains by counting attributes apart (Step::loss).
  Loss loss(const Attributes& changed) const;
  Told run(const PeopleTable& table, RandomSource& source) const;
  /// All steps' numbers, on one line.
  std::string label(const Told& told) const;
};

/// The same release with other ends for what its steps tell (Step::within).
std::shared_ptr<const Release> within(const Release& release, std::uint64_t window);

/// What a line of the budget has come to.
struct LedgerLine {
  struct AtDelta {
    Number delta, epsilon;  // of (epsilon, delta)-DP by rho, rounded up
  };
  Loss loss;
  std::vector<AtDelta> at;
  bool exceeded = false;
};
/// deltas: for lines that have none.
LedgerLine ledger_line(const BudgetLine& line, const Loss& loss, const std::vector<Number>& deltas);

}  // namespace oddsbound::mechanisms
