// The bound that the search over outputs rests on (output_search.h says why it holds).
#pragma once

#include <functional>
#include <vector>

#include "verifier/engine/pair_losses.h"

namespace oddsbound::engine {

using GroupWeights = std::vector<std::vector<double>>;  // [group][suffix]

/// What reaches other groups from each suffix: [group][r] is the sum over s of weights[group][s] exp(-l(r, s)). One
/// pass over the kernel serves all groups. look() is called now and then.
GroupWeights reaches(LossKernel& kernel, std::size_t depth, const GroupWeights& weights,
                     const std::function<void()>& look);

/// Not below the ratio of every output below a node. u, v: the weights of two groups by suffix, 0 or within kSmall and
/// kLarge; reach: that of the second; error: their relative one (Suffixes::error). 0 if no output is possible from `u`.
double transport_bound(const std::vector<double>& u, const std::vector<double>& v, const std::vector<double>& reach,
                       double error);

/// The c at which that bound is taken, and the bound at any c >= 0.
double best_credit(const std::vector<double>& u, const std::vector<double>& v, const std::vector<double>& reach);
double credit_bound(const std::vector<double>& u, const std::vector<double>& v, const std::vector<double>& reach,
                    double credit, double error);

// A better bound than that of transport_bound.h, for more work: shares of u are moved to v along a plan that is
// improved in rounds.
//
// For any plan g >= 0 with sum_s g_rs = u_r, and l(r, s) the largest loss from r to s, the ratio of every output is at
// most the largest of sum_r g_rs exp(l(r, s)) / v_s: from every r to s, f_r(y) <= exp(l(r, s)) f_s(y). Here
// g_rs = u_r k_rs^4 m_s / sum_s' k_rs'^4 m_s' with k = exp(-l), which prefers what is near, and m_s falls in each round
// where s carries more than others do.

struct Refining {
  double enough;  // nothing is gained by a smaller bound than that
  int rounds;
  double least_gain;              // a round that gains less, as a part, is the last one
  bool only_if_enough;            // what will not be enough need not be good
  std::size_t most_gathered = 0;  // entries of the kernel that may be kept at hand
};

struct RefinedBound {
  double ratio = kInfinity;
  std::vector<double> shares;  // m by suffix, of the plan that shows it; empty if none does
};

/// Not below the ratio of every output below a node, for weights as transport_bound takes them. Infinity where doubles
/// do not reach.
RefinedBound refined_bound(LossKernel& kernel, std::size_t depth, const std::vector<double>& u,
                           const std::vector<double>& v, double error, const Refining& refining,
                           const std::function<void()>& look);

/// The same of the plan that given shares make.
double plan_bound(LossKernel& kernel, std::size_t depth, const std::vector<double>& u, const std::vector<double>& v,
                  const std::vector<double>& shares, double error, const std::function<void()>& look);

}  // namespace oddsbound::engine
