// The bound that the search over outputs rests on (output_search.h says why it holds).
#pragma once

#include <functional>
#include <vector>

#include "verifier/ratios/loss_kernel.h"

namespace oddsbound::ratios {

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

}  // namespace oddsbound::ratios
