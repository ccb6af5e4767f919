// A release from a table of people: its steps, its budget and its ledger; also a release on given tables as a
// mechanism, and learning a distribution.
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

/// The most that the release may cost over tables that differ in these attributes of one record.
struct BudgetLine {
  std::string of;  // "age", "age, ill", "a person"
  Attributes attributes;
  std::optional<Level> epsilon{};  // with delta: the epsilon of (epsilon, delta)-DP
  std::optional<Number> delta{}, rho{};
};

/// The output of each step.
using Told = std::vector<std::vector<std::int64_t>>;

struct Release {
  std::string name;
  Domain schema;
  std::vector<StepPtr> steps;
  std::vector<BudgetLine> budget;
  std::vector<Number> deltas{Number::ratio(1, 1'000'000)};  // for the ledger's epsilons, if a budget line has no delta

  /// Returns the sum of the steps' losses. It is the least bound that follows from them: accounting for attributes
  /// separately does not improve it (see Step::loss).
  Loss loss(const Attributes& changed) const;
  Told run(const PeopleTable& table, RandomSource& source) const;
  /// Returns the numbers of all steps, on one line.
  std::string label(const Told& told) const;
};

/// Returns the same release with another window for the numbers of its steps (Step::within).
std::shared_ptr<const Release> within(const Release& release, std::uint64_t window);

/// The outcome of a budget line.
struct LedgerLine {
  struct AtDelta {
    Number delta, epsilon;  // of (epsilon, delta)-DP, rounded up
  };
  Loss loss;
  std::vector<AtDelta> at;
  bool exceeded = false;
};
/// deltas: for budget lines without one.
LedgerLine ledger_line(const BudgetLine& line, const Loss& loss, const std::vector<Number>& deltas);

// Counting queries over records, as needed by steps that fit distributions.

/// Limit on the possible records, if all are enumerated.
inline constexpr std::uint64_t kMostRecords = std::uint64_t{1} << 20;

/// Throws LimitError if there are more than kMostRecords records, or if the lists of members_of would be too long.
void require_few_records(const Domain& schema, const std::vector<NamedPattern>& queries);
/// Returns, by query, the matching records in order.
std::vector<std::vector<std::uint32_t>> members_of(const Domain& schema, const std::vector<NamedPattern>& queries);

// A release on whole tables as a black box: the input is the number of the table. No output distribution is
// computed; the mechanism runs the release's own code.

/// Returns the mechanism, where input x is tables[x]. Throws ModelError for a step that cannot be run.
std::shared_ptr<const BlackBoxMechanism> release_on_tables(std::shared_ptr<const Release> release,
                                                           std::vector<PeopleTable> tables);

// Distribution learning: the distribution of people over all combinations of some attributes, as far as these are
// frequent (partial-DP paper, Theorem 34). It consists of heavy hitters and their counts; small counts are taken
// as 0.

struct DistributionRequest {
  HeavyHittersRequest hitters;  // with counts and a share; keeps combinations with at least twice the share
  bool normalised = false;      // scale the numbers to sum to all people
};

/// Returns the step. Costs the same as heavy hitters: it uses their counts without further noise.
StepPtr distribution_step(DistributionRequest request);

}  // namespace oddsbound::releases
