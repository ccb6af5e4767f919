// Levels that are proven to be above, where the level itself was not found.
#pragma once

#include "verifier/exact/level.h"
#include "verifier/ratios/seen_rows.h"

namespace oddsbound::ratios {

/// At least log(ratio), with a few digits: a rational number of nats. Infinite for infinity. ratio >= 1 up to rounding.
Level level_above(double ratio);

/// What a factor can lose between any inputs that occur.
Level largest_loss(const SeenFactor& factor);
/// What all factors together can lose between any rows that occur: the sum of the largest loss of each.
Level largest_loss(const SeenRows& seen);

}  // namespace oddsbound::ratios
