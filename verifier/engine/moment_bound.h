// The moment bound: an upper bound of the ratio of every output below a node of the search over outputs
// (output_search.h), from moments of log-likelihoods up to the fourth. It is for many factors that each reveal little,
// where the averaged bound (averaged_bound.h) loses much. Proof and formulas: docs/mathematics-searches.md.
//
// For a group with weights of sum 1 over its rows, let L(y) be the sum over the open factors of log f_i(y_i), less its
// mean over the rows. The probability of y is exp(that mean), which is a sum of functions of the y_i, times E exp(L).
// Taylor's formula at any c gives, with D = L - c,
//
//     exp(L) >= exp(c) (1 + D + D^2/2 + D^3/6)
//     exp(L) <= exp(c) (1 + D + D^2/2 + D^3/6 + phi(R - c) D^4)    if L <= R
//     phi(x) = (exp(x) - 1 - x - x^2/2 - x^3/6) / x^4 = the integral of (1 - t)^3 / 6 exp(t x) over t in [0, 1],
//
// so phi increases. With bounds of the moments for all outputs at once (group_moments.h), what remains is the maximum
// over y of a sum of functions of one and of two factors. The logarithms of the two groups' bounds are replaced by a
// tangent and a chord. A multiple of |x|^2 is subtracted that makes the quadratic form concave, and added to the
// functions of one factor. Any tangent then bounds the form, and separates the factors.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "verifier/engine/group_moments.h"

namespace oddsbound::engine {

class MomentBound {
 public:
  /// `suffixes` must outlive this object. bytes: memory for the moments of one group.
  MomentBound(const Suffixes& suffixes, std::uint64_t bytes);

  /// Returns true if nodes at this depth have a bound: three or more factors are open, none of their entries is 0 or
  /// out of range, their losses are not large, and neither are time and memory.
  bool applies(std::size_t depth) const { return depth >= first_ && depth + kFewFactors <= suffixes_.depths(); }
  /// Returns about how many multiplications the moments of one group take.
  double steps(std::size_t depth) const { return cost_of_moments(open(depth), suffixes_.layer(depth).size).steps; }

  /// Returns the moments of one group at a node. weights: by suffix at this depth, each 0 or in [kSmall, kLarge], not
  /// all 0.
  GroupMoments moments(std::size_t depth, const std::vector<double>& weights, const std::function<void()>& look) const {
    return GroupMoments(suffixes_, open(depth), depth, weights, look);
  }
  /// Returns an upper bound of the ratios of all outputs below the node; infinity if there is none.
  double bound(const GroupMoments& u, const GroupMoments& v) const;

 private:
  static constexpr std::size_t kFewFactors = 3;
  std::span<const LogFactor> open(std::size_t depth) const { return std::span(factors_).subspan(depth - first_); }

  const Suffixes& suffixes_;
  std::vector<LogFactor> factors_;  // [depth - first_]
  std::size_t first_ = 0;           // the first depth with a bound
  double error_ = 0;                // of the logarithm of a ratio, from the factors and the weights
};

}  // namespace oddsbound::engine
