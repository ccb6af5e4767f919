// Random priors of every kind.
#pragma once

#include <string>

#include "tests/support/random_model.h"

namespace oddsbound::testing {

struct KindOfPrior {
  std::string name;
  Prior (*make)(Random& random, const Domain& domain);
};

/// All kinds that there are: a new one is a line here.
const std::vector<KindOfPrior>& kinds_of_priors();

/// The same distribution with its weights counted out.
Prior dense_twin(const Prior& prior, const Domain& domain);

}  // namespace oddsbound::testing
