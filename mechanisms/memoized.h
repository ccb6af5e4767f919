// Drawing an answer once, and several reports from it.
#pragma once

#include "mechanisms/sampler.h"

namespace oddsbound::mechanisms {

/// A channel and the code that draws its outputs.
struct Stage {
  ChannelPtr channel;
  SamplerPtr sampler;
};

/// Draws an output of `permanent`, then `times` reports for that output as the input of `report`; gives the number of
/// their counts (verifier/model/memoized_channel.h).
SamplerPtr memoized_sampler(Stage permanent, Stage report, std::uint64_t times);

}  // namespace oddsbound::mechanisms
