// Drawing an answer once, and several reports from it.
#pragma once

#include "mechanisms/sampler.h"

namespace oddsbound::mechanisms {

/// Draws an output of `permanent`, then `times` reports for that output as the input of `report`; gives the number of
/// their counts (verifier/model/memoized_channel.h).
SamplerPtr memoized_sampler(Stage permanent, Stage report, std::uint64_t times);

}  // namespace oddsbound::mechanisms
