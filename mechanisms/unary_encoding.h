// Unary encodings: one bit per input, drawn independently; and kept bits with several reports of each.
#pragma once

#include "mechanisms/mechanism.h"

namespace oddsbound::mechanisms {

/// The probability that a bit is 1: the bit of the input itself (or a kept 1), and any other.
struct OfBits {
  Number own, other;
};

/// Bit i is kept as 1 with probability permanent.own if i is the input, else permanent.other. Each of `times`
/// reports of a kept bit is 1 with probability report.own if the kept bit is 1, else report.other. An output
/// counts, for every bit, the reports of 1: "(3,0,2)". Throws LimitError past the budget.
Mechanism memoized_bits(const Domain& domain, const OfBits& permanent, const OfBits& report, std::int64_t times,
                        Budget& budget);

// One bit per input, drawn independently: the outputs of unary encodings.

/// Returns the channel whose bit i is 1 with probability `own` if i is the input, else `other`; outputs have
/// labels like "0100".
ChannelPtr bit_string_channel(const Domain& domain, const Number& own, const Number& other);

/// Draws one bit. The flag: whether it is the bit of the input itself.
using BitDraw = std::function<std::uint64_t(bool own, RandomSource& source)>;
/// Draws every bit of such a channel independently.
SamplerPtr bit_string_sampler(const Channel& channel, BitDraw draw);

/// Estimates the fractions of the inputs from the frequency of each bit.
EstimatorPtr bit_string_estimator(const Domain& domain, const Number& own, const Number& other);

}  // namespace oddsbound::mechanisms
