// One bit per input, drawn independently: what unary encodings release.
#pragma once

#include "mechanisms/mechanism.h"

namespace oddsbound::mechanisms {

/// The channel whose bit i is 1 with probability `own` if i is the input, else `other`; outputs are labelled "0100".
ChannelPtr bit_string_channel(const Domain& domain, const Number& own, const Number& other);

/// Draws one bit: that of the input itself, or that of another one.
using BitDraw = std::function<std::uint64_t(bool own, RandomSource& source)>;
/// Draws every bit of such a channel on its own.
SamplerPtr bit_string_sampler(const Channel& channel, BitDraw draw);

/// The shares of the inputs from how often each bit is 1.
EstimatorPtr bit_string_estimator(const Domain& domain, const Number& own, const Number& other);

}  // namespace oddsbound::mechanisms
