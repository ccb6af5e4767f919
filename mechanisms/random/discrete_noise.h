// Discrete Laplace and Gaussian noise as choices: Canonne, Kamath and Steinke (2020), Algorithms 2 and 3.
#pragma once

#include <optional>

#include "mechanisms/random/choice.h"

namespace oddsbound::mechanisms {

/// A positive fraction.
struct SmallRatio {
  std::uint64_t top, bottom;
  Number number() const { return Number::ratio(static_cast<std::int64_t>(top), static_cast<std::int64_t>(bottom)); }
};
/// Returns the number as a fraction of integers up to kMostOfRatio, if it is positive and fits.
std::optional<SmallRatio> small_ratio(const Number& number);
inline constexpr std::int64_t kMostOfRatio = 1 << 20;

/// Makes one attempt at discrete Laplace noise P(n) ~ exp(-|n| bottom / top); false: try again.
bool attempt_laplace(std::uint64_t top, std::uint64_t bottom, RandomSource& source, bool& negative,
                     std::uint64_t& magnitude);

/// An integer plus discrete Laplace noise P(n) ~ exp(-|n| / scale), clamped to a window 0..last. The outcome is
/// the distance of the sum from the window's least number; the ends absorb the mass beyond them. at: the integer
/// relative to the least number; it may lie outside the window. The scale is a fraction of numbers below 2^32.
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

// Discrete Gaussian noise as a choice.

/// floor(sqrt(variance)) + 1: the scale of the Laplace noise from which rejection makes Gaussian noise.
std::uint64_t laplace_scale_for(SmallRatio variance);

/// An integer plus discrete Gaussian noise P(n) ~ exp(-n^2 / (2 variance)), clamped to a window as by
/// ClampedLaplace. run() draws that noise without a bound. The stated probabilities and attempt(), which is what
/// is checked, are a model of it: noise beyond `reach` is drawn again, so that probabilities are finite sums. The
/// two distributions differ by less than the probability of such noise. The variance is a fraction of numbers up
/// to kMostOfRatio; reach < 2^22.
class ClampedGaussian final : public Choice {
 public:
  ClampedGaussian(SmallRatio variance, std::int64_t at, std::uint64_t last, std::uint64_t reach)
      : variance_(variance), at_(at), last_(last), reach_(reach) {}

  /// Returns a reach r such that noise beyond it has probability below 2^-128: P(|n| >= r) <= 2 exp(-r^2 / (2
  /// variance)).
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
