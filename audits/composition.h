// Whether a product's sampler is what its parts make up: where a product is too large to be replayed as a whole, its
// parts are replayed alone, and that proves something of the whole only if the whole is drawn from exactly these parts.
#pragma once

#include "base/budget.h"
#include "mechanisms/sampler.h"

namespace oddsbound::audits {

struct Composition {
  std::string fault;           // why the parts do not make up the channel; empty if they do
  std::uint64_t followed = 0;  // inputs for which the sampler was followed while it drew its parts
};

/// Compares the sampler's parts with the channel's factors: the same channels, on the same coordinates. Then follows
/// the sampler for all inputs, or for as many of them, spread evenly, as make some 2^20 outputs of factors: it must
/// draw each part once, in order, for the input that the factors see, and answer with what the parts answered.
Composition check_composition(const Channel& channel, const Sampler& sampler, Budget& budget);

}  // namespace oddsbound::audits
