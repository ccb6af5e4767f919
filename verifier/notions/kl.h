// KL differential privacy (Cuff and Yu, Differential Privacy as a Mutual Information Constraint, 2016).
#pragma once

#include "verifier/notions/notion.h"

namespace oddsbound::notions {

/// For all neighbors, the Kullback-Leibler divergence between their outputs is at most epsilon nats: the mean of the
/// privacy loss. It is the limit of the Renyi divergence for orders near 1, so it is at most `renyi_dp` of every order
/// and at most the rho of `zcdp`.
///
/// Divergences of independent outputs add. A divergence is a sum of logarithms: exact if it is itself a level, and
/// otherwise known to as many digits as decide the claim. Cost: kinds of pairs of inputs of the parts, or pairs of
/// inputs x outputs.
Notion kl_dp_notion();

}  // namespace oddsbound::notions
