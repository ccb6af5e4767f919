// Binomial tails and Clopper-Pearson confidence limits. Every result is rounded to the safe side, with explicit
// error bounds or in Arb.
//
// n is the number of trials and c the number of successes. Each trial succeeds with probability at most q,
// whatever happened before.
#pragma once

#include <cstdint>

#include "base/namespaces.h"

namespace oddsbound::exact {

/// Returns an upper bound on P(Bin(n, q) >= c); 1 if c is not above the mean n q.
double tail_bound(std::uint64_t n, std::uint64_t c, double q);

/// One-sided limits of Clopper and Pearson (1934): below (above) the success probability with confidence 1 -
/// alpha.
double lower_limit(std::uint64_t n, std::uint64_t c, double alpha);
double upper_limit(std::uint64_t n, std::uint64_t c, double alpha);

/// Returns a probability of about `bits` bits, slightly above the lower limit, with P(Bin(n, q) >= c) > alpha
/// (proven). Requires 0 < c <= n, 0 < alpha < 1/4.
double beyond_lower_limit(std::uint64_t n, std::uint64_t c, double alpha, int bits);

}  // namespace oddsbound::exact
