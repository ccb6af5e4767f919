// How people are distributed over all combinations of some attributes, as far as many of them have the same (partial-DP
// paper, Theorem 34): nothing but heavy hitters and their counts, with small ones taken as 0.
#pragma once

#include "mechanisms/releases/heavy_hitters.h"

namespace oddsbound::mechanisms {

struct DistributionRequest {
  HeavyHittersRequest hitters;  // with counts, and a share: what is told is of combinations with twice as many at least
  bool normalised = false;      // what is told adds up to all people
};

/// Costs what heavy hitters cost: their counts are taken as they are, with no noise of its own.
StepPtr distribution_step(DistributionRequest request);

}  // namespace oddsbound::mechanisms
