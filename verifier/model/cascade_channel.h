// Cascades: the output of one channel is the input of another, and only the output of the second is released.
#pragma once

#include <cstdint>
#include <span>

#include "verifier/model/channel.h"

namespace oddsbound::model {

/// Returns the channel P(z given x) = sum over y of P(y given x) * P(z given input_of[y]). `input_of` has one input of
/// `second` per output of `first`. Outputs have the labels of `second`. Throws LimitError past the budget.
ChannelPtr cascade_channel(const Channel& first, const Channel& second, std::span<const std::uint64_t> input_of,
                           Budget& budget);

}  // namespace oddsbound::model
