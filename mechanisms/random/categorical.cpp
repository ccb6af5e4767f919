#include "mechanisms/random/categorical.h"

#include <atomic>

#include "verifier/exact/binary_digits.h"
#include "verifier/exact/errors.h"

namespace oddsbound {

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

// The steps from `below` on that begin with the digits drawn so far are the ones in question.
std::uint64_t Categorical::refine(RandomSource& source, std::uint64_t digits, std::size_t below) const {
  const unsigned width = source.width();
  std::size_t end = below;
  while (end < steps_.size() && first_digits_[end] >> (64 - width) == digits) ++end;
  for (std::size_t position = 1;; ++position) {
    // A step whose digits end here is not above u, whatever follows.
    while (below < end && lengths_[below] <= position * width) ++below;
    if (below == end) return below;
    digits = source.word();
    while (below < end && digits_of(below, position, width) < digits) ++below;
    std::size_t equal = below;
    while (equal < end && digits_of(equal, position, width) == digits) ++equal;
    if (equal == below) return below;
    end = equal;
  }
}

}  // namespace oddsbound
