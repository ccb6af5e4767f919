// The bound that the search over outputs rests on (output_search.h says why it holds).
#pragma once

#include <functional>
#include <vector>

#include "verifier/ratios/loss_kernel.h"

namespace oddsbound::ratios {

/// Not below the ratio of every output below a node. u, v: the weights of two groups by suffix at this depth, 0 or
/// within kSmall and kLarge; error: their relative one (Suffixes::error). 0 if no output is possible from `u`. look() is
/// called now and then.
double transport_bound(LossKernel& kernel, std::size_t depth, const std::vector<double>& u,
                       const std::vector<double>& v, double error, const std::function<void()>& look);

}  // namespace oddsbound::ratios
