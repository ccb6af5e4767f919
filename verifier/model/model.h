// What is measured: a domain, a channel on it, and (for the Bayesian notions) a prior.
#pragma once

#include <optional>

#include "verifier/model/channel.h"
#include "verifier/model/domain.h"
#include "verifier/model/prior.h"

namespace oddsbound::model {

struct Model {
  Domain domain;
  ChannelPtr channel;
  std::optional<Prior> prior;
};

}  // namespace oddsbound::model
