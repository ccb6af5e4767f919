// The power of the repeat tests (repeats.h).
//
// The alternative: with probability s, whatever happened before, a run repeats the output of the run `lag` before it
// in the batch (in the first half: at the same place of the batch before). Otherwise it draws a fresh output from the
// stated row p.
//
// Since s I + (1 - s) 1 p is reversible, such runs form a chain that looks the same in both directions from the
// middle of a batch. So given everything looked at before and a and c, each of b and d repeats its neighbor with
// probability s and is fresh otherwise. Let D be the difference (repeats.h). If a = c then D = 0. Otherwise D has
// mean 2s and
//
//   E D^2 = 2s + 2s^2 + 2(1 - s)(p_a + p_c) - 2(1 - s)^2 (p_a - p_c)^2.
//
// (1 + bet D)^-theta <= 1 - theta bet D + C bet^2 D^2, with C the least constant that fits D = -2, -1, 1 and 2. With
// probability (1 - s)^2 both a and c are fresh, and the mean of the right side over them is a polynomial in the sums
// of p^2 and p^3. Otherwise it is at most its maximum over pairs of outputs. Together: E[(1 + bet D)^-theta | past]
// <= 1 - gain. (In the middle, c may repeat an a of another four of its group. Given which do, the mean of the
// group's product is at most that of as many fours at (1 - s) times the fresh mean and s times the maximum.)
//
// So product^-theta, divided by the product of all (1 - gain), is a supermartingale. If the sum of all gains is at
// least theta * enough + log 100, the log product fails to reach `enough` with probability at most 0.01, at any
// stopping time (Markov, Ville). theta and the bet may depend on s but not on the counts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/namespaces.h"

namespace oddsbound::audits {

/// The parameters of a stated row that the power depends on.
struct RowShape {
  explicit RowShape(std::span<const double> row);

  // For fresh outputs a and c: P(a != c), half of E[(p_a + p_c) 1(a != c)], and half of E[(p_a - p_c)^2].
  double unequal = 0, sums = 0, variance = 0;
  // p_a + p_c and |p_a - p_c| of pairs of outputs, one of which maximizes E D^2 for any s.
  std::vector<std::pair<double, double>> pairs;
};

/// Returns the smallest tried fraction s at which repeats are found with probability 0.99; nullopt if there is none
/// up to 1/2. fours: counted per input; enough: the value that the log product has to reach.
std::optional<double> findable_share(std::span<const RowShape> rows, std::span<const std::uint64_t> fours,
                                     double enough);

}  // namespace oddsbound::audits
