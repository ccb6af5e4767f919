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

}  // namespace oddsbound::mechanisms
