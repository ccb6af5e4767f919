#include "mechanisms/random/distributions.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>
#include <stdexcept>

#include "base/budget.h"
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

std::uint64_t laplace_scale_for(SmallRatio variance) {
  std::uint64_t root = 0;
  while ((root + 1) * (root + 1) * variance.bottom <= variance.top) ++root;
  return root + 1;
}

std::uint64_t ClampedGaussian::reach_of(SmallRatio variance) {
  // r^2 >= 2 variance * 129 log 2, with room for the rounding of doubles.
  const double square =
      258 * 0.6931471805599454 * static_cast<double>(variance.top) / static_cast<double>(variance.bottom);
  return static_cast<std::uint64_t>(std::ceil(std::sqrt(square) * (1 + 1e-12)));
}

std::string ClampedGaussian::describe() const {
  return std::to_string(at_) + " with discrete Gaussian noise of variance " + std::to_string(variance_.top) +
         (variance_.bottom == 1 ? "" : "/" + std::to_string(variance_.bottom)) + ", up to " + std::to_string(reach_) +
         ", moved into 0.." + std::to_string(last_);
}

Number ClampedGaussian::probability(std::uint64_t outcome) const {
  const Number twice = Number(2) * variance_.number();
  std::vector<WeightedTerm> all, here;
  const auto reach = static_cast<std::int64_t>(reach_);
  for (std::int64_t n = -reach; n <= reach; ++n) {
    constexpr std::size_t kBitsOfTerm = 1024;  // a window may be far wider than a feasible sum
    Budget::work_on(kBitsOfTerm);
    const Number density = Number::exp_of(-Number(n * n) / twice);
    all.push_back({Number(1), density});
    if (moved(n) == outcome) here.push_back({Number(1), density});
  }
  return weighted_sum(here) / weighted_sum(all);
}

// Laplace noise of scale t, kept with probability exp(-(|n| - variance/t)^2 / (2 variance)), is Gaussian. The
// exponent is (|n| t bottom - top)^2 / (2 top bottom t^2), whose denominator is below 2^44.
bool ClampedGaussian::attempt_noise(RandomSource& source, std::int64_t& noise) const {
  constexpr std::uint64_t kMostMagnitude = std::uint64_t{1} << 31;  // exceeded with probability below exp(-2^20)
  const std::uint64_t scale = laplace_scale_for(variance_);
  bool negative = false;
  std::uint64_t magnitude = 0;
  if (!attempt_laplace(scale, 1, source, negative, magnitude)) return false;
  if (magnitude > kMostMagnitude) throw std::runtime_error("noise passes 2^31: the random source is broken");
  const auto distance =
      static_cast<__int128>(magnitude * scale * variance_.bottom) - static_cast<__int128>(variance_.top);
  const auto square = static_cast<unsigned __int128>(distance * distance);
  const std::uint64_t divisor = 2 * variance_.top * variance_.bottom * scale * scale;
  for (unsigned __int128 whole = square / divisor; whole > 0; --whole) {
    if (mechanisms::draw(BernoulliExp(1, 1), source) == 0) return false;
  }
  const auto rest = static_cast<std::uint64_t>(square % divisor);
  const std::uint64_t common = std::gcd(rest, divisor);
  if (rest != 0 && mechanisms::draw(BernoulliExp(rest / common, divisor / common), source) == 0) return false;
  noise = static_cast<std::int64_t>(magnitude) * (negative ? -1 : 1);
  return true;
}

std::uint64_t ClampedGaussian::moved(std::int64_t noise) const {
  return static_cast<std::uint64_t>(std::clamp<std::int64_t>(at_ + noise, 0, static_cast<std::int64_t>(last_)));
}

namespace {

// P(noise >= least), with a = exp(-1 / scale): a^least / (1 + a) if least >= 1, else 1 minus the lower tail.
Number upper_tail(const Number& a, std::int64_t least) {
  if (least >= 1) return a.pow(least) / (Number(1) + a);
  return Number(1) - a.pow(1 - least) / (Number(1) + a);
}

}  // namespace

std::optional<SmallRatio> small_ratio(const Number& number) {
  std::int64_t top = 0;
  std::int64_t bottom = 0;
  if (!number.fits_ratio(top, bottom) || top <= 0 || top > kMostOfRatio || bottom > kMostOfRatio) return std::nullopt;
  return SmallRatio{static_cast<std::uint64_t>(top), static_cast<std::uint64_t>(bottom)};
}

bool attempt_laplace(std::uint64_t top, std::uint64_t bottom, RandomSource& source, bool& negative,
                     std::uint64_t& magnitude) {
  // offset + top * laps is geometric with ratio exp(-1/top); divided by bottom, with ratio exp(-bottom/top).
  const std::uint64_t offset = draw(UniformBelow(top), source);
  if (draw(BernoulliExp(offset, top), source) == 0) return false;
  std::uint64_t laps = 0;
  while (draw(BernoulliExp(1, 1), source) == 1) ++laps;
  magnitude = (offset + top * laps) / bottom;
  negative = draw(UniformBelow(2), source) == 1;
  return !(negative && magnitude == 0);  // zero has one sign
}

std::string ClampedLaplace::describe() const {
  return std::to_string(at_) + " with discrete Laplace noise of scale " + std::to_string(scale_.top) +
         (scale_.bottom == 1 ? "" : "/" + std::to_string(scale_.bottom)) + ", moved into 0.." + std::to_string(last_);
}

Number ClampedLaplace::probability(std::uint64_t outcome) const {
  const Number a = Number::exp_of(-Number(1) / scale_.number());
  const std::int64_t noise = static_cast<std::int64_t>(outcome) - at_;
  const Number from_here = outcome == 0 ? Number(1) : upper_tail(a, noise);
  return outcome == last_ ? from_here : from_here - upper_tail(a, noise + 1);
}

bool ClampedLaplace::attempt(RandomSource& source, std::uint64_t& outcome) const {
  bool negative = false;
  std::uint64_t magnitude = 0;
  if (!attempt_laplace(scale_.top, scale_.bottom, source, negative, magnitude)) return false;
  const auto noise = static_cast<__int128>(magnitude);
  const __int128 sum = at_ + (negative ? -noise : noise);
  outcome = static_cast<std::uint64_t>(std::clamp<__int128>(sum, 0, last_));
  return true;
}

}  // namespace oddsbound::mechanisms
