// The sampler of a mechanism with public randomness: a uniform seed is drawn, and published with the output.
#pragma once

#include <cstdint>

#include "mechanisms/sampler.h"

namespace oddsbound::mechanisms {

/// Returns a sampler that draws a seed s below `seeds`, then an output y of `inner` on its input s * inputs + x. It
/// draws s * (outputs of inner) + y as the only word.
SamplerPtr public_seed_sampler(Stage inner, std::uint64_t seeds, std::uint64_t inputs);

}  // namespace oddsbound::mechanisms
