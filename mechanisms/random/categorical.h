// Exact choices among finitely many outcomes. Categorical takes any exact probabilities, rational or not:
// inversion of the distribution function by a uniform real u, whose digits are drawn until they determine the step
// that contains u. Selection is the choice of the exponential mechanism, by rejection.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "mechanisms/random/choice.h"
#include "mechanisms/random/discrete_noise.h"

namespace oddsbound::mechanisms {

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
