// Drawing from an adaptive composition: the first answer chooses who answers next.
#pragma once

#include "mechanisms/sampler.h"

namespace oddsbound::mechanisms {

/// Outputs are those of verifier/model/adaptive_channel.h. then: one per output of `first`.
SamplerPtr adaptive_sampler(Stage first, std::vector<Stage> then);

}  // namespace oddsbound::mechanisms
