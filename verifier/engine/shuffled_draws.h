// Sums of a score over the reports of n people that are independent draws: the privacy of shuffled reports if the
// inputs of the other people are draws.
//
// Let q(y) be the probability that another person sends report y, and P(y) that of the target, the person whose input
// the claim is about. The histogram h of all n reports then has the probability
// Mult(h; n, q) (1/n) sum over y of h(y) P(y) / q(y). So the excess of P over Q is
//
//     delta = (1/n) E[ (sum over y of h(y) s(y))_+ ],   s(y) = (P(y) - E Q(y)) / q(y),   h ~ Multinomial(n, q).
//
// Reports with equal scores are one class.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/budget.h"
#include "verifier/engine/loss_grid.h"
#include "verifier/exact/number.h"

namespace oddsbound::engine {

/// A report that another person sends with probability `drawn` > 0. The `drawn` of a list sum to at most 1. The target
/// sends only reports of the list.
struct DrawnReport {
  Number drawn, p, q;
};

struct DrawnExcess {
  Number p, q;  // of the event, if the excess is exact
  NumberBounds excess;
  std::string reason{};  // why it is not exact
  bool is_exact() const { return excess.lower == excess.upper; }
};

enum class DrawnEnds { kBoth, kLower, kUpper };

/// Returns the excess P - factor Q of the best event. It is exact if all numbers are rational and the histograms are
/// few enough, otherwise known between two bounds. They come from fewer classes if more than `most` histograms have a
/// mass that matters: delta is the mean of a convex function of scores. An end that is not wanted may be 0 or 1. Throws
/// LimitError past the budget.
DrawnExcess excess_beside_draws(const std::vector<DrawnReport>& reports, std::uint64_t people, const Number& factor,
                                Budget& budget, double most = 0x1p23, DrawnEnds wanted = DrawnEnds::kBoth);

}  // namespace oddsbound::engine
