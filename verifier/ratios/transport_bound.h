// The bound that the search over outputs rests on (output_search.h says why it holds).
#pragma once

#include <vector>

#include "verifier/ratios/suffixes.h"

namespace oddsbound::ratios {

/// Not below the ratio of every output below a node. u, v: the weights of two groups by suffix, 0 or within kSmall and
/// kLarge; error: their relative one (Suffixes::error). 0 if no output is possible from `u`.
double transport_bound(const SuffixLayer& layer, const std::vector<double>& u, const std::vector<double>& v,
                       double error);

}  // namespace oddsbound::ratios
