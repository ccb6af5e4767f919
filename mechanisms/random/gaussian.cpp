#include "mechanisms/random/gaussian.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "base/budget.h"

namespace oddsbound::mechanisms {

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
    constexpr std::size_t kBitsOfTerm = 1024;  // a window may be far wider than what can be summed
    Budget::work_on(kBitsOfTerm);
    const Number density = Number::exp_of(-Number(n * n) / twice);
    all.push_back({Number(1), density});
    if (moved(n) == outcome) here.push_back({Number(1), density});
  }
  return weighted_sum(here) / weighted_sum(all);
}

// Laplace noise of scale t, kept with probability exp(-(|n| - variance/t)^2 / (2 variance)), is Gaussian. The exponent
// is (|n| t bottom - top)^2 / (2 top bottom t^2), whose denominator is below 2^44.
bool ClampedGaussian::attempt_noise(RandomSource& source, std::int64_t& noise) const {
  constexpr std::uint64_t kMostMagnitude = std::uint64_t{1} << 31;  // passed with a chance below exp(-2^20)
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

}  // namespace oddsbound::mechanisms
