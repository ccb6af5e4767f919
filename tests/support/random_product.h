// Random small products of mechanisms under priors, and conditional probabilities of one output by definition.
#pragma once

#include <vector>

#include "tests/support/random_prior.h"

namespace oddsbound::testing {

/// Each factor sees some of the coordinates, in any order and overlapping; some factors repeat a mechanism.
Model random_product(Random& random, const KindOfPrior& kind, Entries entries);
/// P(output given the value of the coordinate), by enumerating all inputs. The output is split by factors.
Number conditional(const Model& model, std::size_t coordinate, std::uint64_t value,
                   const std::vector<std::uint64_t>& output);

}  // namespace oddsbound::testing
