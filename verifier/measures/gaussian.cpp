#include "verifier/measures/gaussian.h"

#include <arb_hypgeom.h>

#include <algorithm>

#include "base/errors.h"
#include "verifier/exact/interval.h"

namespace oddsbound::measures {

namespace {

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

}  // namespace

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

}  // namespace oddsbound::measures
