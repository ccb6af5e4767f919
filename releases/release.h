// A release from a table of people: its steps, one after the other, and what they may cost.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "mechanisms/mechanism.h"
#include "releases/counts.h"
#include "releases/heavy_hitters.h"
#include "releases/step.h"

namespace oddsbound::releases {

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

// Counting questions about records: what those who fit distributions to answers need to know of them.

/// Records that there may be where each has a number of its own.
inline constexpr std::uint64_t kMostRecords = std::uint64_t{1} << 20;

/// Throws LimitError if there are more records than that, or the lists of members_of were too long.
void require_few_records(const Domain& schema, const std::vector<NamedPattern>& queries);
/// By query, the records that have it, in order.
std::vector<std::vector<std::uint32_t>> members_of(const Domain& schema, const std::vector<NamedPattern>& queries);

// A release of whole tables as a mechanism: its input is which table it was. Of what it may tell nothing is computed;
// its own code is run.

/// Input x is tables[x]. Throws ModelError for a step that cannot be run.
std::shared_ptr<const BlackBoxMechanism> release_on_tables(std::shared_ptr<const Release> release,
                                                           std::vector<PeopleTable> tables);

// How people are distributed over all combinations of some attributes, as far as many of them have the same (partial-DP
// paper, Theorem 34): nothing but heavy hitters and their counts, with small ones taken as 0.

struct DistributionRequest {
  HeavyHittersRequest hitters;  // with counts, and a share: what is told is of combinations with twice as many at least
  bool normalised = false;      // what is told adds up to all people
};

/// Costs what heavy hitters cost: their counts are taken as they are, with no noise of its own.
StepPtr distribution_step(DistributionRequest request);

}  // namespace oddsbound::releases
