// Choices with given distributions, all exact: discrete Laplace and Gaussian noise, any finite distribution, and the
// exponential mechanism.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "mechanisms/random/choice.h"

namespace oddsbound::mechanisms {

// Discrete Laplace and Gaussian noise as choices: Canonne, Kamath and Steinke (2020), Algorithms 2 and 3.

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

// Exact choices among finitely many outcomes. Categorical takes any exact probabilities, rational or not: inversion of
// the distribution function by a uniform real u, whose digits are drawn until they determine the step that contains u.
// Selection is the choice of the exponential mechanism, by rejection.

class Categorical final : public ComparingChoice<Categorical> {
 public:
  /// probabilities: they sum to exactly 1, which the caller has checked.
  explicit Categorical(std::vector<Number> probabilities);

  Key key() const override { return {id_, 0, 0}; }
  std::string describe() const override;
  std::uint64_t outcomes() const override { return probabilities_.size(); }
  Number probability(std::uint64_t outcome) const override { return probabilities_[outcome]; }

  template <class Source>
  std::uint64_t run(Source& source) const {
    if (symbolic_) [[unlikely]]
      refuse();
    const unsigned width = source.width();
    const auto digits = source.word();
    // The number of steps certainly below u; exact unless some step begins with the same digits.
    std::size_t below = 0;
    for (std::size_t count = first_digits_.size(); count > 0;) {
      const std::size_t half = count / 2;
      const bool right = (first_digits_[below + half] >> (64 - width)) < digits;
      below = right ? below + half + 1 : below;
      count = right ? count - half - 1 : half;
    }
    if (below == first_digits_.size() || first_digits_[below] >> (64 - width) != digits) [[likely]]
      return below;
    return refine(source, digits, below);
  }

 private:
  [[noreturn]] static void refuse();
  template <class Source, class Word>
  std::uint64_t refine(Source& source, Word digits, std::size_t below) const;
  std::uint64_t digits_of(std::size_t step, std::size_t position, unsigned width) const;

  std::vector<Number> probabilities_;
  std::vector<Number> steps_;                // the distribution function below 1
  std::vector<std::uint64_t> first_digits_;  // of the steps: 64 digits
  std::vector<std::uint32_t> lengths_;       // of the steps: number of digits
  std::uint64_t id_;
  bool symbolic_ = false;  // some probability is a function of symbols: no outcome can be drawn
};

// Undecided are the steps from `below` on that begin with the digits drawn so far.
template <class Source, class Word>
std::uint64_t Categorical::refine(Source& source, Word digits, std::size_t below) const {
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

/// 1 with the given probability, else 0.
class Bernoulli {
 public:
  explicit Bernoulli(const Number& probability)
      : choice_({Number(1) - probability, probability}), probability_(probability) {}
  std::uint64_t operator()(RandomSource& source) const { return draw(choice_, source); }
  const Number& probability() const { return probability_; }

 private:
  Categorical choice_;
  Number probability_;
};

// The choice of the exponential mechanism: one of many, with probability increasing in its score.

/// P(i) ~ exp(rate * score_i / 2^bits), for integer scores >= 0. Rejection: draw i uniformly and keep it with
/// probability exp(rate * (score_i - largest score) / 2^bits). The expected number of draws is at most the number
/// of scores. Requires at least one score and bits <= 20.
class Selection final : public RetriedChoice {
 public:
  Selection(SmallRatio rate, unsigned bits, std::vector<std::uint64_t> scores);

  Key key() const override;
  std::string describe() const override;
  std::uint64_t outcomes() const override { return scores_.size(); }
  Number probability(std::uint64_t outcome) const override;
  bool attempt(RandomSource& source, std::uint64_t& outcome) const override;

 private:
  /// exp(-behind) is the probability of an outcome relative to the most likely one.
  Number behind(std::uint64_t outcome) const;

  SmallRatio rate_;
  unsigned bits_;
  std::vector<std::uint64_t> scores_;
  std::uint64_t most_;
};

}  // namespace oddsbound::mechanisms
