// Which repeats would have been found?
//
// The alternative: each run gives, with probability s and whatever happened before, the output of the run `lag` before
// it in the batch (in the first half, at the same place of the batch before) once more, and else a fresh one from the
// stated row p.
//
// From the middle of a batch outward such runs are a chain that looks the same both ways, since s I + (1 - s) 1 p is
// reversible. So given all that was looked at before and a and c, each of b and d repeats its neighbor with probability
// s and is fresh else. Let D be the difference (repeats.h). If a = c then D = 0; else D has mean 2s and
//
//   E D^2 = 2s + 2s^2 + 2(1 - s)(p_a + p_c) - 2(1 - s)^2 (p_a - p_c)^2.
//
// (1 + bet D)^-theta <= 1 - theta bet D + C bet^2 D^2 with C the least that fits D = -2, -1, 1 and 2. With probability
// (1 - s)^2 both a and c are fresh, and the mean of the right side over them is a polynomial in the sums of p^2 and
// p^3; otherwise it is at most its largest value over pairs of outputs. Together: the mean of (1 + bet D)^-theta is at
// most 1 - gain, given the past. (In the middle c may repeat an a of another four of its group. Given which do, the
// mean of the group's product is at most that of as many fours at (1 - s) times the fresh mean and s times the largest,
// no more.)
//
// So product^-theta, divided by the product of all (1 - gain), is a supermartingale: where the sum of all gains is at
// least theta times what the logarithm of the product has to reach, plus log 100, it fails to get there with
// probability at most 0.01, at whatever time one looks (Markov, Ville). theta and the bet may depend on s, not on what
// was counted.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/namespaces.h"

namespace oddsbound::audits {

/// What the power depends on of a stated row.
struct RowShape {
  explicit RowShape(std::span<const double> row);

  // Of two fresh outputs a and c: P(a != c), half the mean of p_a + p_c where they differ, half that of (p_a - p_c)^2.
  double unequal = 0, sums = 0, variance = 0;
  // p_a + p_c and |p_a - p_c| of pairs of outputs, one of which makes E D^2 largest for any s.
  std::vector<std::pair<double, double>> pairs;
};

/// The least share s, of those tried, at which repeats are found with probability 0.99; none if there is no such s up
/// to a half. fours: counted per input; enough: what the logarithm of the product has to reach.
std::optional<double> findable_share(std::span<const RowShape> rows, std::span<const std::uint64_t> fours,
                                     double enough);

}  // namespace oddsbound::audits
