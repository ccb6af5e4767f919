// Upper bounds of the ratio of every output below a node. Two bounds:
// - credit bound: one number c per pair of groups (output_search.h gives the formula and its proof);
// - plan bound: a transport plan per pair; smaller, and more work.
#pragma once

#include <functional>
#include <vector>

#include "verifier/engine/pair_losses.h"

namespace oddsbound::engine {

using GroupWeights = std::vector<std::vector<double>>;  // [group][suffix]

/// Returns R for every group: [group][r] = sum_s weights[group][s] exp(-l(r, s)). One pass over the kernel serves
/// all groups. Calls look() from time to time.
GroupWeights reaches(LossKernel& kernel, std::size_t depth, const GroupWeights& weights,
                     const std::function<void()>& look);

/// Returns an upper bound of the ratio of every output below a node. u, v: the weights of two groups by suffix,
/// each 0 or in [kSmall, kLarge]; reach: R of the second group; error: the relative error of the weights
/// (Suffixes::error). Returns 0 if no output is possible from `u`.
double transport_bound(const std::vector<double>& u, const std::vector<double>& v, const std::vector<double>& reach,
                       double error);

/// best_credit returns the c that minimizes the bound; credit_bound returns the bound at any c >= 0.
double best_credit(const std::vector<double>& u, const std::vector<double>& v, const std::vector<double>& reach);
double credit_bound(const std::vector<double>& u, const std::vector<double>& v, const std::vector<double>& reach,
                    double credit, double error);

// Plan bound: moves weight from u to v along a plan that is improved in rounds.
//
// For any plan g >= 0 with sum_s g_rs = u_r, and l(r, s) the largest loss from r to s, the ratio of every output
// is at most max_s sum_r g_rs exp(l(r, s)) / v_s, because f_r(y) <= exp(l(r, s)) f_s(y). The plan is g_rs = u_r
// k_rs^4 m_s / sum_s' k_rs'^4 m_s' with k = exp(-l), which prefers small losses. In each round, m_s decreases
// relative to the others where the load of s is high.

struct Refining {
  double enough;  // stop once the bound is below this
  int rounds;
  double least_gain;              // stop after a round with a smaller relative gain
  bool only_if_enough;            // stop if the bound will probably not get below `enough`
  std::size_t most_gathered = 0;  // maximum number of kernel entries held in memory
};

struct RefinedBound {
  double ratio = kInfinity;
  std::vector<double> shares;  // m by suffix, of the plan with this bound; empty if there is none
};

/// Returns an upper bound of the ratio of every output below a node, for weights as in transport_bound. Infinity
/// outside the range of doubles.
RefinedBound refined_bound(LossKernel& kernel, std::size_t depth, const std::vector<double>& u,
                           const std::vector<double>& v, double error, const Refining& refining,
                           const std::function<void()>& look);

/// Returns the bound of the plan with the given m_s.
double plan_bound(LossKernel& kernel, std::size_t depth, const std::vector<double>& u, const std::vector<double>& v,
                  const std::vector<double>& shares, double error, const std::function<void()>& look);

}  // namespace oddsbound::engine
