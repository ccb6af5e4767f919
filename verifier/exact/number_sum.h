// Tails of binomial distributions and the confidence limits that come of them: every number here is rounded to the safe
// side, with error bounds or in Arb.
//
// n is a number of trials, c how many of them succeeded; trials succeed with a probability of at most q whatever
// happened before.
#pragma once

#include <cstdint>

#include "base/namespaces.h"

namespace oddsbound::exact {

/// At least P(Bin(n, q) >= c); 1 where c is not above the mean.
double tail_bound(std::uint64_t n, std::uint64_t c, double q);

/// The one-sided limits of Clopper and Pearson (1934): below (above) the probability with confidence 1 - alpha.
double lower_limit(std::uint64_t n, std::uint64_t c, double alpha);
double upper_limit(std::uint64_t n, std::uint64_t c, double alpha);

/// A probability of few bits with P(Bin(n, q) >= c) > alpha, which is proven, and not much above the lower limit.
/// 0 < c <= n, 0 < alpha < 1/4.
double beyond_lower_limit(std::uint64_t n, std::uint64_t c, double alpha, int bits);

}  // namespace oddsbound::exact
