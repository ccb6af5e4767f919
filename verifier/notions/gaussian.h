// Gaussian differential privacy (Dong, Roth and Su, 2022).
#pragma once

#include "verifier/notions/notion.h"

namespace oddsbound::notions {

/// mu: for all neighbors, their outputs are no easier to distinguish than two normal variables of variance 1 whose
/// means differ by mu. The smallest mu is enclosed (gaussian.cpp). It is the worst of the pairs whose
/// hockey-stick divergences are largest (engine/neighbor_losses.h), because these determine the trade-off curve.
/// Independent runs compose as mu^2 = mu_1^2 + mu_2^2, as an upper bound.
Notion gaussian_dp_notion();

}  // namespace oddsbound::notions
