// Follows code that only compares the integers it draws (mechanisms/random/compared.h) along every branch. Each run
// stands for all integers that take it: a range of each, so its mass is a rational that is known exactly.
#pragma once

#include <vector>

#include "audits/replay.h"
#include "base/budget.h"
#include "mechanisms/random/choice.h"

namespace oddsbound::audits {

/// The mass of each outcome, the last that of all outcomes which the choice does not have, and of what was cut off.
struct BranchedDistribution {
  std::vector<Number> outcomes;
  Number cut;
  std::uint64_t runs = 0;
};

/// All branches of choice.compare; none if its code does more than compare. A run is cut off where it draws on with a
/// mass below 2^-cut_bits. Throws LimitError past the budget.
std::optional<BranchedDistribution> follow_branches(const Choice& choice, unsigned cut_bits, ChoiceRegistry& registry,
                                                    Budget& budget);

}  // namespace oddsbound::audits
