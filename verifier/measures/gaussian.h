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
#pragma once

#include "base/budget.h"
#include "verifier/engine/loss_distribution.h"

namespace oddsbound::measures {

/// Doubles, rounded outward, and the masses of the event that shows at_least.
struct MuBounds {
  double at_least = 0;
  double at_most = 0;
  Number p{1}, q{1};
};

/// Returns bounds of mu with a relative gap of about 1e-15. losses: without infinite losses, and without symbols. For
/// equal distributions the bounds are 0. Cost: two quantiles for every ratio. Throws LimitError past the budget.
MuBounds bounds_of_mu(const engine::LossDistribution& losses, Budget& budget);

}  // namespace oddsbound::measures
