// The one combination of values that those with a label have (partial-DP paper, Theorem 31).
#pragma once

#include "mechanisms/releases/heavy_hitters.h"
#include "mechanisms/releases/learning.h"

namespace oddsbound::mechanisms {

struct PointRequest {
  Labeled people;
  HeavyHittersRequest hitters;  // over inputs and label, with counts; what counts are compared with is its share
};

/// Tells the least combination that is listed with the label and has a count above the share; where there is none, the
/// least one that is not so without the label. Costs what heavy hitters cost: it is read off what they tell.
StepPtr point_step(PointRequest request);

}  // namespace oddsbound::mechanisms
