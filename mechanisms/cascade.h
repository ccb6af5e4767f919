// The sampler of a cascade: a second mechanism runs on the output of the first.
#pragma once

#include <cstdint>
#include <vector>

#include "mechanisms/sampler.h"

namespace oddsbound::mechanisms {

/// Returns a sampler that draws an output y of `first`, then an output of `second` on its input input_of[y]. It draws
/// the number of the second output as the only word.
SamplerPtr cascade_sampler(Stage first, Stage second, std::vector<std::uint64_t> input_of);

}  // namespace oddsbound::mechanisms
