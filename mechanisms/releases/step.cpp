#include "mechanisms/releases/step.h"

#include "mechanisms/releases/enough.h"

namespace oddsbound::mechanisms {

std::vector<KeyedNumber> Step::keyed(std::span<const std::int64_t> told) const {
  std::vector<KeyedNumber> numbers;
  for (std::uint64_t place = 0; place < told.size(); ++place) {
    numbers.push_back({key_of(std::span(&place, 1)), static_cast<double>(told[place])});
  }
  return numbers;
}

std::vector<std::string> Step::notes(std::span<const std::int64_t> told, std::size_t people) const {
  const std::optional<Promise> promised = promise();
  if (!promised) return {};
  const bool enough = promised->people && *promised->people <= people;
  if (enough && !answers(told, people).empty()) return {};
  return {words_of(*promised, people)};
}

Loss CostPart::of(const Attributes& changed) const {
  const auto changes = static_cast<std::int64_t>(shared_by(reads, changed));
  if (changes == 0) return {};
  if (!each) return loss;
  const Number count(changes);
  // Pure losses add up, and roots of rho.
  const Number rho = count * count * loss.rho;
  if (loss.pure.is_infinite()) return concentrated_loss(rho);
  return pure_loss(Level::of_exponential(loss.pure.exponential().pow(changes)), rho);
}

}  // namespace oddsbound::mechanisms
