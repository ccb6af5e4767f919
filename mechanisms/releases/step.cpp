#include "mechanisms/releases/step.h"

#include <algorithm>

namespace oddsbound::mechanisms {

Loss CostPart::of(const Attributes& changed) const {
  const auto changes = std::count_if(
      reads.begin(), reads.end(), [&](std::size_t i) { return std::binary_search(changed.begin(), changed.end(), i); });
  if (changes == 0) return {};
  if (!each) return loss;
  const Number count(changes);
  // Pure losses add up, and roots of rho.
  const Number rho = count * count * loss.rho;
  if (loss.pure.is_infinite()) return concentrated_loss(rho);
  return pure_loss(Level::of_exponential(loss.pure.exponential().pow(changes)), rho);
}

}  // namespace oddsbound::mechanisms
