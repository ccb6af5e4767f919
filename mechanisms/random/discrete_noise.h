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

// Discrete Gaussian noise, as a choice: by Canonne, Kamath and Steinke (2020), Algorithm 3.

/// floor(sqrt(variance)) + 1: the scale of Laplace noise that becomes Gaussian where some of it is drawn again.
std::uint64_t laplace_scale_for(SmallRatio variance);

/// A whole number with discrete Gaussian noise P(n) ~ exp(-n^2 / (2 variance)), moved into a window as by
/// ClampedLaplace. What is drawn is that noise, however large. What the choice states and what is checked of its code
/// is its model: noise beyond `reach` is drawn again, so that probabilities are finite sums; both differ by less than
/// the chance of such noise. The variance is a fraction of numbers up to kMostOfRatio, reach below 2^22.
class ClampedGaussian final : public Choice {
 public:
  ClampedGaussian(SmallRatio variance, std::int64_t at, std::uint64_t last, std::uint64_t reach)
      : variance_(variance), at_(at), last_(last), reach_(reach) {}

  /// So far that noise beyond has a chance below 2^-128: P(|n| >= r) <= 2 exp(-r^2 / (2 variance)).
  static std::uint64_t reach_of(SmallRatio variance);

  Key key() const override {
    return {reach_ << 42 | variance_.top << 21 | variance_.bottom, static_cast<std::uint64_t>(at_), last_};
  }
  std::string describe() const override;
  std::uint64_t outcomes() const override { return last_ + 1; }
  Number probability(std::uint64_t outcome) const override;
  bool attempt(RandomSource& source, std::uint64_t& outcome) const override {
    std::int64_t noise = 0;
    if (!attempt_noise(source, noise) || static_cast<std::uint64_t>(std::abs(noise)) > reach_) return false;
    outcome = moved(noise);
    return true;
  }
  unsigned check_width() const override { return no_words(); }

  std::uint64_t run(RandomSource& source) const {
    std::int64_t noise = 0;
    while (!attempt_noise(source, noise)) {
    }
    return moved(noise);
  }

 private:
  bool attempt_noise(RandomSource& source, std::int64_t& noise) const;
  std::uint64_t moved(std::int64_t noise) const;

  SmallRatio variance_;
  std::int64_t at_;
  std::uint64_t last_, reach_;
};

}  // namespace oddsbound::mechanisms
