#include "mechanisms/random/categorical.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <numeric>

#include "base/errors.h"
#include "verifier/exact/decimal.h"

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

// Returns the digits of a step in the position-th word of that width.
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

namespace {

// Numbers lists of scores for Selection::key(), by which observers identify choices.
std::uint64_t number_of(const std::vector<std::uint64_t>& scores) {
  static std::mutex mutex;
  static std::map<std::vector<std::uint64_t>, std::uint64_t> numbers;
  const std::lock_guard lock(mutex);
  return numbers.emplace(scores, numbers.size()).first->second;
}

}  // namespace

Selection::Selection(SmallRatio rate, unsigned bits, std::vector<std::uint64_t> scores)
    : rate_(rate), bits_(bits), scores_(std::move(scores)), most_(*std::max_element(scores_.begin(), scores_.end())) {}

Choice::Key Selection::key() const { return {rate_.top << 32 | rate_.bottom, bits_, number_of(scores_)}; }

std::string Selection::describe() const {
  return "one of " + std::to_string(scores_.size()) + " with probability ~ exp(" + rate_.number().to_string() +
         " * score / 2^" + std::to_string(bits_) + ")";
}

Number Selection::behind(std::uint64_t outcome) const {
  return rate_.number() * Number(static_cast<std::int64_t>(most_ - scores_[outcome])) /
         Number(std::int64_t{1} << bits_);
}

Number Selection::probability(std::uint64_t outcome) const {
  std::vector<WeightedTerm> all;
  for (std::uint64_t o = 0; o < outcomes(); ++o) all.push_back({Number(1), Number::exp_of(-behind(o))});
  return all[outcome].value / weighted_sum(all);
}

bool Selection::attempt(RandomSource& source, std::uint64_t& outcome) const {
  outcome = draw(UniformBelow(outcomes()), source);
  const auto distance = static_cast<unsigned __int128>(most_ - scores_[outcome]) * rate_.top;
  const std::uint64_t divisor = rate_.bottom << bits_;
  for (unsigned __int128 whole = distance / divisor; whole > 0; --whole) {
    if (draw(BernoulliExp(1, 1), source) == 0) return false;
  }
  const auto rest = static_cast<std::uint64_t>(distance % divisor);
  if (rest == 0) return true;
  const std::uint64_t common = std::gcd(rest, divisor);
  return draw(BernoulliExp(rest / common, divisor / common), source) == 1;
}

}  // namespace oddsbound::mechanisms
