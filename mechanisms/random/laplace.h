// Discrete Laplace noise, as choices: by Canonne, Kamath and Steinke (2020), Algorithm 2.
#pragma once

#include <optional>

#include "mechanisms/random/choice.h"

namespace oddsbound::mechanisms {

/// A positive fraction.
struct SmallRatio {
  std::uint64_t top, bottom;
  Number number() const { return Number::ratio(static_cast<std::int64_t>(top), static_cast<std::int64_t>(bottom)); }
};
/// The number as a fraction of integers up to kMostOfRatio, if it is a positive one.
std::optional<SmallRatio> small_ratio(const Number& number);
inline constexpr std::int64_t kMostOfRatio = 1 << 20;

/// One attempt at discrete Laplace noise P(n) ~ exp(-|n| bottom / top).
bool attempt_laplace(std::uint64_t top, std::uint64_t bottom, RandomSource& source, bool& negative,
                     std::uint64_t& magnitude);

/// A whole number with discrete Laplace noise P(n) ~ exp(-|n| / scale), moved into a window: the outcome is how far
/// above the window's least number the sum is, and the ends have what lies beyond them. `at` is where the number is,
/// seen from the window's least one; it may lie outside. The scale is a fraction of numbers below 2^32.
class ClampedLaplace final : public RetriedChoice {
 public:
  ClampedLaplace(SmallRatio scale, std::int64_t at, std::uint64_t last) : scale_(scale), at_(at), last_(last) {}

  Key key() const override { return {scale_.top << 32 | scale_.bottom, static_cast<std::uint64_t>(at_), last_}; }
  std::string describe() const override;
  std::uint64_t outcomes() const override { return last_ + 1; }
  Number probability(std::uint64_t outcome) const override;
  bool attempt(RandomSource& source, std::uint64_t& outcome) const override;

 private:
  SmallRatio scale_;
  std::int64_t at_;
  std::uint64_t last_;
};

}  // namespace oddsbound::mechanisms
