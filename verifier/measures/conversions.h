// What one notion implies for another (BCDP paper, Propositions 3, 4 and 6), as exact functions of levels.
#pragma once

#include <span>
#include <vector>

#include "verifier/exact/level.h"

namespace oddsbound::measures {

/// Proposition 3: an eps-LDP mechanism is eps-BCDP for every coordinate.
Level bcdp_from_ldp(const Level& ldp);

/// Proposition 4, part 1: the BCDP level of coordinate i that CDP levels c and correlation q_i guarantee,
/// c_i + log(1 + q_i e^(sum of the other c_j) - q_i).
Level bcdp_from_cdp(std::span<const Level> cdp, const Number& correlation, std::size_t coordinate);

/// Proposition 4, part 2: min(c_i + log(1 + q_i e^eps - q_i), eps) for a mechanism that is also eps-LDP.
Level bcdp_from_cdp_and_ldp(const Level& cdp, const Number& correlation, const Level& ldp);

/// The better of both parts of Proposition 4.
Level proposition_4_bound(std::span<const Level> cdp, const Number& correlation, std::size_t coordinate,
                          const Level& ldp);

enum class Sufficiency { kSatisfied, kViolated, kUndecided };

/// Proposition 6: whether the linear condition A c <= 1 holds, A_ii = 1/delta_i and A_ij = 1/log(1 + (e^delta_i -
/// 1)/q_i). If it does, CDP levels c give BCDP levels delta by Proposition 4.
///
/// The condition compares a sum of quotients of logarithms with 1; it is decided exactly where all levels are rational
/// or it degenerates to one logarithm, by enclosures elsewhere, and kUndecided only if both sides agree to 4096 bits.
/// deltas and cdp finite or infinite; correlations in [0, 1].
Sufficiency proposition_6(std::span<const Level> deltas, std::span<const Number> correlations,
                          std::span<const Level> cdp);

}  // namespace oddsbound::measures
