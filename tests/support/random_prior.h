// Random priors of every kind.
#pragma once

#include <string>

#include "tests/support/random_model.h"

namespace oddsbound::testing {

struct KindOfPrior {
  std::string name;
  Prior (*make)(Random& random, const Domain& domain);
};

/// All kinds of priors. A new kind is one line in the table.
const std::vector<KindOfPrior>& kinds_of_priors();

/// The same distribution as a dense table of weights.
Prior dense_twin(const Prior& prior, const Domain& domain);

}  // namespace oddsbound::testing
