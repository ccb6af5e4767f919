#include "verifier/notions/gaussian.h"

#include <algorithm>
#include <utility>

#include "base/errors.h"
#include "verifier/engine/measured_model.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/interval.h"
#include "verifier/measures/gaussian.h"
#include "verifier/notions/approximate.h"
#include "verifier/notions/delta_by_parts.h"
#include "verifier/notions/divergences.h"
#include "verifier/notions/log_levels.h"

namespace oddsbound::notions {

namespace {

constexpr const char* kMuField = "mu";

// The largest mu between neighbors.
struct LargestMu {
  std::optional<Witness> infinite;
  std::pair<InputRow, InputRow> neighbors;
  MuBounds mu;
};

void offer(LargestMu& found, const std::pair<InputRow, InputRow>& neighbors, const LossDistribution& losses,
           Budget& budget) {
  MuBounds own = bounds_of_mu(losses, budget);
  const double most = std::max(own.at_most, found.mu.at_most);
  if (own.at_least > found.mu.at_least) {
    found.mu = std::move(own);
    found.neighbors = neighbors;
  }
  found.mu.at_most = most;
}

// Returns false if listing the outputs is the better way.
bool measure_listed_losses(MeasuredModel& subject, const CoordinateGroups& groups, LargestMu& found) {
  for (const auto& group : groups.groups) {
    const auto& within = losses_within(subject, group);
    if (!within) return false;
    if (within->above) refuse_kinds(subject);
    for (std::size_t k = 0; k < within->pairs.size(); ++k) {
      if (!within->listed[k]) {
        throw LimitError("the losses of the parts have too many sums to list, and mu needs all of them");
      }
      offer(found, {within->pairs[k].from, within->pairs[k].to}, *within->listed[k], subject.budget());
    }
  }
  return true;
}

void measure_rows(MeasuredModel& subject, const CoordinateGroups& groups, LargestMu& found) {
  const RowPairs pairs(subject, groups);
  found.infinite = pairs.infinite();
  if (found.infinite) return;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    std::vector<Number> p, q;
    for (const PairedMass& mass : pairs.masses(k)) {
      p.push_back(Number(mass.count) * mass.p);
      q.push_back(Number(mass.count) * mass.q);
    }
    offer(found, pairs.neighbors(k), LossDistribution::of(p, q), subject.budget());
  }
}

const LargestMu& largest_mu(MeasuredModel& subject, const CoordinateGroups& groups) {
  return subject.remember("mu in" + key_of_groups(groups), [&] {
    LargestMu found;
    found.neighbors = any_neighbors(subject.domain(), groups);
    if (const auto parts = part_pairs(subject, groups)) {
      found.infinite = parts->infinite();
      if (found.infinite || measure_listed_losses(subject, groups, found)) return found;
      if (!subject.can_enumerate()) refuse_kinds(subject);
    }
    measure_rows(subject, groups, found);
    return found;
  });
}

MeasuredLevel level_of_mu(MeasuredModel& subject, const CoordinateGroups& groups) {
  const LargestMu& found = largest_mu(subject, groups);
  MeasuredLevel level;
  if (found.infinite) {
    level.at_least = Level::infinite();
    level.witness = *found.infinite;
    return level;
  }
  Witness witness;
  witness.likelihood_event = true;
  witness.from = subject.domain().tuple(found.neighbors.first);
  witness.to = subject.domain().tuple(found.neighbors.second);
  witness.p_from = found.mu.p;
  witness.p_to = found.mu.q;
  level.witness = std::move(witness);
  if (found.mu.at_most > 0) {
    level.at_least = rounded_level(decimal_bounds(number_of(found.mu.at_least)).lower);
    level.unfinished = Unfinished{rounded_level(decimal_bounds(number_of(found.mu.at_most)).upper),
                                  "it is a difference of two quantiles, and is enclosed"};
  }
  return level;
}

Decision decide_gaussian(MeasuredModel& subject, const Arguments& arguments) {
  return decide_divergence(subject.domain(), arguments, kMuField, neighborhoods(subject.domain(), arguments),
                           [&](const CoordinateGroups& groups, const Level&) { return level_of_mu(subject, groups); });
}

}  // namespace

Notion gaussian_dp_notion() {
  return {.name = "gaussian_dp",
          .summary =
              "Gaussian differential privacy: neighbors are no easier to distinguish than two normal variables of "
              "variance 1 whose means differ by mu",
          .source = "Dong, Roth and Su, Gaussian Differential Privacy (2022), Definition 4",
          .fields = with_neighbors({compared({kMuField, FieldKind::kLevelOrByCoordinate})}),
          .never_tight = "mu is enclosed between two numbers, and whether it equals the claimed value is not decided",
          .decide = decide_gaussian,
          .complaint = complaint_about_neighbors(kMuField),
          .large_proofs = {.by_losses = true},
          .bounds_odds = false,
          .unbounded = true,
          .locking = {.bounds = {kMuField}}};
}

}  // namespace oddsbound::notions
