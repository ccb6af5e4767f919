// The independent parts of a mechanism, each with its own sampler.
#pragma once

#include <vector>

#include "mechanisms/mechanism.h"

namespace oddsbound::mechanisms {

/// Returns one stage per factor of the channel, in their order, with the factor's own sampler. If the mechanism is not
/// sampled factor by factor, each factor is sampled from its rows. A channel without factors is one stage.
std::vector<Stage> stages_of(const Mechanism& mechanism);

}  // namespace oddsbound::mechanisms
