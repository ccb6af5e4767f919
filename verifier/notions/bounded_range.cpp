#include "verifier/notions/bounded_range.h"

#include <utility>

#include "verifier/engine/measured_model.h"
#include "verifier/notions/approximate.h"
#include "verifier/notions/divergences.h"
#include "verifier/notions/stated.h"

namespace oddsbound::notions {

namespace {

// The widest range of losses between neighbors.
struct WidestRange {
  std::optional<Witness> infinite;
  std::pair<InputRow, InputRow> neighbors;
  Number factor{1};  // e^range
};

// P = 0 < Q would be an infinite loss of the pair in its other order, so P and Q are 0 together.
Number range_of(std::span<const PairedMass> masses) {
  std::optional<Number> least, most;
  for (const PairedMass& mass : masses) {
    if (mass.p.is_zero()) continue;
    const Number ratio = mass.p / mass.q;
    if (!most || ratio > *most) most = ratio;
    if (!least || ratio < *least) least = ratio;
  }
  return *most / *least;
}

void measure_rows(const RowPairs& pairs, Budget& budget, WidestRange& found) {
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    budget.check();
    Number factor = range_of(pairs.masses(k));
    if (factor <= found.factor) continue;
    found.factor = std::move(factor);
    found.neighbors = pairs.neighbors(k);
  }
}

void measure_parts(const PartPairs& pairs, Budget& budget, WidestRange& found) {
  std::vector<Number> factors;
  for (const auto& losses : pairs.losses()) {
    factors.push_back(losses->atoms().front().ratio / losses->atoms().back().ratio);
  }
  LargestProduct largest = largest_product(pairs, factors, budget);
  found.factor = std::move(largest.product);
  found.neighbors = std::move(largest.neighbors);
}

const WidestRange& widest_range(MeasuredModel& subject, const CoordinateGroups& groups) {
  return subject.remember("range of losses in" + key_of_groups(groups), [&] {
    WidestRange found;
    found.neighbors = any_neighbors(subject.domain(), groups);
    const auto measure = [&](const auto& pairs, const auto& of_pairs) {
      found.infinite = pairs.infinite();
      if (!found.infinite && pairs.size() > 0) of_pairs(pairs, subject.budget(), found);
    };
    if (const auto parts = part_pairs(subject, groups, false)) {
      measure(*parts, measure_parts);
    } else {
      measure(RowPairs(subject, groups), measure_rows);
    }
    return found;
  });
}

// The smallest loss in one direction is minus the largest loss in the other.
Witness outputs_that_differ_most(const Model& model, const std::pair<InputRow, InputRow>& inputs) {
  Witness witness = witness_of(model, worst_output(model, inputs.first, inputs.second));
  Witness other = witness_of(model, worst_output(model, inputs.second, inputs.first));
  if (other.unlisted) return other;
  if (witness.unlisted) return witness;
  witness.lowest = Witness::Lowest{std::move(other.outputs[0]), std::move(other.p_to), std::move(other.p_from)};
  return witness;
}

MeasuredLevel level_of_range(MeasuredModel& subject, const CoordinateGroups& groups) {
  const WidestRange& found = widest_range(subject, groups);
  if (found.infinite) return {Level::infinite(), *found.infinite};
  return {Level::of_exponential(found.factor), outputs_that_differ_most(subject.model(), found.neighbors)};
}

Decision decide_range(MeasuredModel& subject, const Arguments& arguments) {
  return decide_divergence(
      subject.domain(), arguments, "epsilon", neighborhoods(subject.domain(), arguments),
      [&](const CoordinateGroups& groups, const Level&) { return level_of_range(subject, groups); });
}

// P(y) Q(z) <= e^epsilon P(z) Q(y) for all outputs y and z.
Statement state_range(const Model& model, const Arguments& arguments, Budget& budget) {
  const auto pair = [&budget](Statement& statement, DistributionView p, DistributionView q, const Level& level) {
    for (std::size_t y = 0; y < p.size(); ++y) {
      for (std::size_t z = 0; z < y; ++z) {  // the neighbors in the other order have the rest
        budget.check_every();
        const Number left = p[y] * q[z];
        if (left.is_zero()) continue;
        const Number right = p[z] * q[y];
        const Formula possible = Formula::greater(left, Number(0));
        if (level.is_infinite()) {
          statement.add_attained(Formula::all({possible, Formula::equal(right, Number(0))}));
          continue;
        }
        const Number most = level.exponential() * right;
        statement.add_violation(Formula::greater(left, most));
        statement.add_attained(Formula::all({possible, Formula::equal(left, most)}));
      }
    }
  };
  return state_neighbors(model, arguments, "epsilon", pair, budget);
}

// No loss exceeds epsilon. With H = e^epsilon, the masses p and q of any event also meet
// p (1 - q) <= H q (1 - p), so that p - q <= (sqrt(H) - 1)^2 / (H - 1) = (sqrt(H) - 1) / (sqrt(H) + 1).
std::vector<ImpliedDelta> deltas_of_range(const Level& range) {
  std::vector<ImpliedDelta> implied{{range, Number(0)}};
  if (range.is_zero()) return implied;
  constexpr slong kBits = 256;
  Ball root(range.exponential(), kBits), above;
  arb_sqrt(root.get(), root.get(), kBits);
  arb_add_si(above.get(), root.get(), 1, kBits);
  arb_sub_si(root.get(), root.get(), 1, kBits);
  arb_div(root.get(), root.get(), above.get(), kBits);
  implied.push_back({Level(), short_above(root)});
  return implied;
}

Definition imply_range(const Model& model, const Arguments& arguments, const InputSubset& inputs) {
  return imply_neighbors(model, arguments, inputs, "epsilon", deltas_of_range);
}

}  // namespace

Notion bounded_range_notion() {
  return {.name = "bounded_range",
          .summary = "bounded range: between neighbors, the largest and the smallest loss differ by at most eps",
          .source = "Durfee and Rogers, Practical Differentially Private Top-k Selection (2019)",
          .fields = with_neighbors({{"epsilon", FieldKind::kLevelOrByCoordinate}}),
          .decide = decide_range,
          .state = state_range,
          .imply = imply_range,
          .complaint = complaint_about_neighbors("epsilon"),
          .bounds_odds = false,
          .unbounded = true};
}

}  // namespace oddsbound::notions
