#include "mechanisms/random/categorical.h"

#include <atomic>

#include "base/errors.h"
#include "verifier/exact/binary_digits.h"

namespace oddsbound::mechanisms {

namespace {
std::atomic<std::uint64_t> next_id{0};
}

Categorical::Categorical(std::vector<Number> probabilities)
    : probabilities_(std::move(probabilities)), id_(next_id.fetch_add(1)) {
  Number sum(0);
  for (const Number& probability : probabilities_) symbolic_ |= probability.has_symbols();
  if (symbolic_) return;
  for (const Number& probability : probabilities_) {
    sum += probability;
    if (sum >= Number(1)) break;
    steps_.push_back(sum);
    first_digits_.push_back(binary_digits(sum, 1)[0]);
    lengths_.push_back(binary_length(sum));
  }
}

void Categorical::refuse() { throw NumberError("a probability that depends on symbols cannot be drawn from"); }

std::string Categorical::describe() const {
  return "one of " + std::to_string(outcomes()) + " outcomes with given probabilities";
}

// The digits of a step in the position-th word of that width.
std::uint64_t Categorical::digits_of(std::size_t step, std::size_t position, unsigned width) const {
  const std::size_t from = position * width;
  const auto words = static_cast<unsigned>((from + width + 63) / 64);
  const std::vector<std::uint64_t> all = binary_digits(steps_[step], words);
  std::uint64_t result = 0;
  for (std::size_t bit = from; bit < from + width; ++bit) {
    result = 2 * result + (all[bit / 64] >> (63 - bit % 64) & 1);
  }
  return result;
}

}  // namespace oddsbound::mechanisms
