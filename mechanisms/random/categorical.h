// A choice among finitely many outcomes with any exact probabilities, rational or not: inversion of the distribution
// function by a uniform real, whose digits are drawn until they tell which step it falls on.
#pragma once

#include <span>
#include <vector>

#include "mechanisms/random/choice.h"

namespace oddsbound {

class Categorical final : public Choice {
 public:
  /// Probabilities, which sum to exactly 1; the caller has checked that.
  explicit Categorical(std::vector<Number> probabilities);

  Key key() const override { return {4, id_, 0}; }
  std::string describe() const override;
  std::uint64_t outcomes() const override { return probabilities_.size(); }
  Number probability(std::uint64_t outcome) const override { return probabilities_[outcome]; }
  bool attempt(RandomSource& source, std::uint64_t& outcome) const override {
    outcome = run(source);
    return true;
  }

  std::uint64_t run(RandomSource& source) const {
    if (symbolic_) [[unlikely]]
      refuse();
    const unsigned width = source.width();
    const std::uint64_t digits = source.word();
    // The number of steps certainly below u; certain for all if no step begins with the same digits.
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
  std::uint64_t refine(RandomSource& source, std::uint64_t digits, std::size_t below) const;
  std::uint64_t digits_of(std::size_t step, std::size_t position, unsigned width) const;

  std::vector<Number> probabilities_;
  std::vector<Number> steps_;                // the distribution function below 1
  std::vector<std::uint64_t> first_digits_;  // of the steps: 64 of them
  std::vector<std::uint32_t> lengths_;       // of the steps: where their digits end
  std::uint64_t id_;
  bool symbolic_ = false;  // some probability is a function of symbols: there is nothing to draw from
};

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

}  // namespace oddsbound
