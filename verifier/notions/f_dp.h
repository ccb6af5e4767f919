// f-differential privacy (Dong, Roth and Su, 2022), for piecewise linear f.
#pragma once

#include "verifier/notions/notion.h"

namespace oddsbound::notions {

/// For all neighbors and every test between their outputs, a test with the type one error a has a type two error of at
/// least f(a) - delta. f is convex, given by its points from (0, f(0)) to (1, 0). delta is 0 unless the claim states
/// it.
///
/// The measured number is the shortfall: the largest f(a) - beta(a), or 0, where beta is a trade-off curve. f is the
/// largest of the lines through its segments, and the line b - s a is below all curves if and only if the hockey-stick
/// divergence at factor s is at most 1 - b, in both directions. So the shortfall is the largest excess of finitely many
/// deltas of approximate_dp (approximate.h), with the same bounds where outputs are too many to list.
Notion f_dp_notion();

}  // namespace oddsbound::notions
