// CDP levels that keep given BCDP levels under given correlation, and the BCDP levels that CDP levels keep (BCDP paper,
// Propositions 4 and 6). The bounds hold for every mechanism and every prior with these levels and correlations.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/budget.h"
#include "verifier/exact/level.h"

namespace oddsbound::measures {

/// Whether A c <= 1 holds, with A_ii = 1/delta_i and A_ij = 1/log(1 + (e^delta_i - 1)/q_i) for j != i: then every
/// mechanism with the CDP levels c keeps the BCDP levels delta, under every prior with the correlations q. Where a row
/// divides by 0, its limit: q_i = 0 leaves c_i <= delta_i, and delta_i = 0 with q_i > 0 leaves c = 0. Decided exactly
/// where a row has one term, else to 40 digits: kOpen if these do not suffice.
Answer proposition_6(std::span<const Level> deltas, std::span<const Number> correlations, std::span<const Level> cdp);

/// The BCDP levels that Proposition 4 gives to a mechanism with these CDP levels and this LDP level: exact where exact
/// numbers hold them and compare them with the delta, else rounded up to 17 digits.
std::vector<Level> proposition_4_bounds(std::span<const Level> cdp, std::span<const Number> correlations,
                                        std::span<const std::optional<Level>> deltas, const Level& ldp);

/// Returns the sum of the levels, rounded up to 17 digits where exact numbers do not hold it.
Level total_at_most(std::span<const Level> levels);

enum class SplitBy { kProposition4, kProposition6 };
/// Returns the CDP levels c_i = share * delta_i with the largest share among k / 2^40 that the proposition allows; each
/// c_i is rounded down to a multiple of 1/1000 (smaller levels, to three digits). An undecided comparison counts as not
/// kept. The deltas must be finite and without symbols.
std::vector<Level> largest_split(std::span<const Level> deltas, std::span<const Number> correlations, SplitBy by);

}  // namespace oddsbound::measures
