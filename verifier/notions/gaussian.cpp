#include "verifier/notions/gaussian.h"

#include <arb_hypgeom.h>

#include <algorithm>
#include <utility>

#include "base/budget.h"
#include "base/errors.h"
#include "verifier/engine/loss_distribution.h"
#include "verifier/engine/measured_model.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/interval.h"
#include "verifier/notions/approximate.h"
#include "verifier/notions/delta_by_parts.h"
#include "verifier/notions/divergences.h"
#include "verifier/notions/stated.h"

namespace oddsbound::notions {

namespace {

// The parameter mu of Gaussian DP for two distributions P and Q (Dong, Roth and Su, Gaussian Differential Privacy,
// 2022, Definition 4): the smallest mu such that P and Q are no easier to distinguish than the normal distributions
// with variance 1 and means mu and 0.
//
// The best tests reject Q on the outputs with the largest ratios P(y) / Q(y). With the masses p and q of these outputs,
// and the distribution function Phi of the standard normal distribution, the condition is p <= Phi(Phi^-1(q) + mu). The
// other tests mix two of these, and the curve q -> Phi(Phi^-1(q) + mu) is concave, so the condition for the best tests
// is enough:
//
//   mu = max over these events of Phi^-1(p) - Phi^-1(q).

// Doubles, rounded outward, and the masses of the event that shows at_least.
struct MuBounds {
  double at_least = 0;
  double at_most = 0;
  Number p{1}, q{1};
};

// Phi^-1 of a probability in (0, 1): minus the quantile of the tail that is at most 1/2, so that no digits cancel.
void set_quantile(Ball& result, const Number& probability, slong bits) {
  const bool above_half = probability > Number::ratio(1, 2);
  const Number tail = above_half ? Number(1) - probability : probability;
  const Ball twice(tail + tail, bits);
  Ball root(2.0);
  arb_hypgeom_erfcinv(result.get(), twice.get(), bits);
  arb_sqrt(root.get(), root.get(), bits);
  arb_mul(result.get(), result.get(), root.get(), bits);
  if (!above_half) arb_neg(result.get(), result.get());
}

// Sets the result to Phi^-1(p) - Phi^-1(q), with as many bits as a double has.
void set_difference(Ball& result, const Number& p, const Number& q, Budget& budget) {
  constexpr slong kAccurate = 60, kMostBits = 1 << 14;
  Ball other;
  for (slong bits = Ball::kBits;; bits *= 2) {
    budget.check();
    set_quantile(result, p, bits);
    set_quantile(other, q, bits);
    arb_sub(result.get(), result.get(), other.get(), bits);
    if (arb_rel_accuracy_bits(result.get()) >= kAccurate) return;
    if (bits >= kMostBits) throw LimitError("two probabilities are too near to one another to compare their quantiles");
  }
}

// Returns bounds of mu with a relative gap of about 1e-15. losses: without infinite losses, and without symbols. For
// equal distributions the bounds are 0. Cost: two quantiles for every ratio. Throws LimitError past the budget.
MuBounds bounds_of_mu(const engine::LossDistribution& losses, Budget& budget) {
  MuBounds bounds;
  Number p(0), q(0);
  Ball difference;
  for (const engine::LossDistribution::Atom& atom : losses.atoms()) {
    p += atom.mass;
    q += atom.mass / atom.ratio;
    if (&atom == &losses.atoms().back()) break;  // all outputs
    set_difference(difference, p, q, budget);
    bounds.at_most = std::max(bounds.at_most, difference.above());
    if (difference.below() <= bounds.at_least) continue;
    bounds.at_least = difference.below();
    bounds.p = p;
    bounds.q = q;
  }
  return bounds;
}

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

// Phi(x)
void set_distribution(Ball& result, const Ball& x, slong bits) {
  Ball root(2.0);
  arb_sqrt(root.get(), root.get(), bits);
  arb_div(result.get(), x.get(), root.get(), bits);
  arb_neg(result.get(), result.get());
  arb_hypgeom_erfc(result.get(), result.get(), bits);
  arb_mul_2exp_si(result.get(), result.get(), -1);
}

// delta = Phi(mu / 2 - epsilon / mu) - e^epsilon Phi(-mu / 2 - epsilon / mu), at epsilon 0 and two standard deviations
// mu beyond the mean mu^2 / 2 of the loss.
std::vector<ImpliedDelta> deltas_of_mu(const Level& mu) {
  constexpr double kLeast = 1e-6, kMost = 10;
  constexpr slong kBits = 256;
  if (mu.is_zero()) return {{Level(), Number(0)}};
  const double about = mu.approx();
  if (!(about > kLeast && about < kMost)) return {};
  Ball value(mu.exponential(), kBits);
  arb_log(value.get(), value.get(), kBits);
  std::vector<ImpliedDelta> implied;
  for (const int deviations : {0, 2}) {
    const Level epsilon = deviations == 0 ? Level() : short_epsilon(about * about / 2 + deviations * about);
    const Ball factor(epsilon.exponential(), kBits);
    Ball quotient, x, delta, other;
    arb_log(quotient.get(), factor.get(), kBits);
    arb_div(quotient.get(), quotient.get(), value.get(), kBits);
    arb_mul_2exp_si(x.get(), value.get(), -1);
    arb_sub(x.get(), x.get(), quotient.get(), kBits);
    set_distribution(delta, x, kBits);
    arb_sub(x.get(), x.get(), value.get(), kBits);
    set_distribution(other, x, kBits);
    arb_submul(delta.get(), other.get(), factor.get(), kBits);
    implied.push_back({epsilon, short_above(delta)});
  }
  return implied;
}

Definition imply_gaussian(const Model& model, const Arguments& arguments, const InputSubset& inputs) {
  return imply_neighbors(model, arguments, inputs, kMuField, deltas_of_mu);
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
          .imply = imply_gaussian,
          .complaint = complaint_about_neighbors(kMuField),
          .large_proofs = {.by_losses = true},
          .bounds_odds = false,
          .unbounded = true,
          .locking = {.bounds = {kMuField}}};
}

}  // namespace oddsbound::notions
