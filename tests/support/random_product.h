// Random small products of mechanisms under priors, and what the definition says of one output.
#pragma once

#include <vector>

#include "tests/support/random_prior.h"

namespace oddsbound::testing {

/// Factors that see some of the coordinates each, in any order and overlapping; some are one mechanism run again.
Model random_product(Random& random, const KindOfPrior& kind, Entries entries);
/// P(output given the value of the coordinate), by a loop over all inputs; the output split into those of the factors.
Number conditional(const Model& model, std::size_t coordinate, std::uint64_t value,
                   const std::vector<std::uint64_t>& output);

}  // namespace oddsbound::testing
