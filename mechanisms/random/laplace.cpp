#include "mechanisms/random/laplace.h"

#include <algorithm>

namespace oddsbound::mechanisms {

namespace {

// P(noise >= least), with a = exp(-1 / scale): a^least / (1 + a) above 0, else what is missing below.
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
