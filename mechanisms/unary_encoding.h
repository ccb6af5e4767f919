// One bit per input, kept, and several reports of every bit.
#pragma once

#include "mechanisms/mechanism.h"

namespace oddsbound::mechanisms {

/// How often a bit is 1: that of the input (or a kept 1), and any other.
struct OfBits {
  Number own, other;
};

/// The bit of input i is kept as 1 with probability permanent.own if i is the input, else permanent.other; each of
/// `times` reports of a kept bit is 1 with probability report.own if that is 1, else report.other. An output says of
/// every bit how often it was reported as 1: "(3,0,2)". Throws LimitError past the budget.
Mechanism memoized_bits(const Domain& domain, const OfBits& permanent, const OfBits& report, std::int64_t times,
                        Budget& budget);

// One bit per input, drawn independently: what unary encodings release.

/// The channel whose bit i is 1 with probability `own` if i is the input, else `other`; outputs are labelled "0100".
ChannelPtr bit_string_channel(const Domain& domain, const Number& own, const Number& other);

/// Draws one bit: that of the input itself, or that of another one.
using BitDraw = std::function<std::uint64_t(bool own, RandomSource& source)>;
/// Draws every bit of such a channel on its own.
SamplerPtr bit_string_sampler(const Channel& channel, BitDraw draw);

/// The shares of the inputs from how often each bit is 1.
EstimatorPtr bit_string_estimator(const Domain& domain, const Number& own, const Number& other);

}  // namespace oddsbound::mechanisms
