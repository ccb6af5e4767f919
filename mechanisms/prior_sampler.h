// Draws inputs from a prior, of whatever kind and however many inputs there are.
#pragma once

#include <memory>

#include "mechanisms/random/choice.h"
#include "verifier/model/prior.h"

namespace oddsbound::mechanisms {

class PriorSampler {
 public:
  explicit PriorSampler(Prior prior);
  ~PriorSampler();
  /// Exactly with the prior's probabilities. Several threads may draw at once.
  InputRow draw(RandomSource& source) const;

 private:
  class Choices;
  Prior prior_;
  std::unique_ptr<Choices> choices_;
};

}  // namespace oddsbound::mechanisms
