// Random choices with a stated distribution: the only way in which samplers use randomness.
//
// A choice states the exact probability of each outcome, and has code that draws one from random words. Where a source
// has an observer, drawing asks the observer for the outcome instead: so the exhaustive check replays a sampler on
// every sequence of outcomes, and checks in the same way, word by word, that the code of each choice keeps what the
// choice states.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

#include "mechanisms/random/source.h"
#include "verifier/exact/number.h"

namespace oddsbound {

class Choice {
 public:
  /// Equal keys mean equal choices.
  struct Key {
    std::uint64_t kind, first, second;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  virtual ~Choice() = default;
  virtual Key key() const = 0;
  virtual std::string describe() const = 0;
  virtual std::uint64_t outcomes() const = 0;
  virtual Number probability(std::uint64_t outcome) const = 0;
  /// All outcomes have the same probability.
  virtual bool is_uniform() const { return false; }
  /// One run of the choice's own code. False means that it is to be run again: the outcome is that of the first run
  /// that says true.
  virtual bool attempt(RandomSource& source, std::uint64_t& outcome) const = 0;
  /// The width of words with which the code can be checked on every sequence of words; 0 if there are too many. Code
  /// that only makes other choices, and must not draw words itself, says no_words().
  virtual unsigned check_width() const { return 1; }
  static constexpr unsigned no_words() { return 65; }
};

/// Decides choices in place of random words.
class ChoiceObserver {
 public:
  virtual ~ChoiceObserver() = default;
  virtual std::uint64_t choose(const Choice& choice) = 0;
};

/// Draws an outcome. `C` has a function `run`, its code.
template <class C>
std::uint64_t draw(const C& choice, RandomSource& source) {
  if (ChoiceObserver* observer = source.observer()) [[unlikely]]
    return observer->choose(choice);
  return choice.run(source);
}

/// One of 0..n-1, each with probability 1/n: floor(u * n) of a uniform real u whose digits are drawn until the floor is
/// certain (no division, nothing thrown away; nearly always one word). n >= 1.
class UniformBelow final : public Choice {
 public:
  explicit UniformBelow(std::uint64_t n) : n_(n) {}
  Key key() const override { return {1, n_, 0}; }
  std::string describe() const override { return "uniform below " + std::to_string(n_); }
  std::uint64_t outcomes() const override { return n_; }
  Number probability(std::uint64_t outcome) const override;
  bool is_uniform() const override { return true; }
  bool attempt(RandomSource& source, std::uint64_t& outcome) const override {
    outcome = run(source);
    return true;
  }
  unsigned check_width() const override {
    // One word of n values decides below a power of two; else the walk goes over some n^2 pairs of words.
    const std::uint64_t most = std::has_single_bit(n_) ? std::uint64_t{1} << 20 : 4096;
    return n_ > most ? 0 : std::max(1U, static_cast<unsigned>(std::bit_width(n_ - 1)));
  }

  std::uint64_t run(RandomSource& source) const {
    if (n_ == 1) return 0;
    const unsigned width = source.width();
    const auto product = static_cast<unsigned __int128>(source.word()) * n_;
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - width);
    const auto whole = static_cast<std::uint64_t>(product >> width);
    const std::uint64_t fraction = static_cast<std::uint64_t>(product) & mask;
    // Later digits add less than n to the fraction; only if that could carry they matter.
    if (fraction <= mask - (n_ - 1)) [[likely]]
      return whole;
    return whole + carry(source, fraction);
  }

 private:
  std::uint64_t carry(RandomSource& source, std::uint64_t fraction) const;
  std::uint64_t n_;
};

/// 1 with probability p/q, else 0. 0 <= p <= q, q >= 1.
class BernoulliRatio final : public Choice {
 public:
  BernoulliRatio(std::uint64_t p, std::uint64_t q) : p_(p), q_(q) {}
  Key key() const override { return {2, p_, q_}; }
  std::string describe() const override {
    return "one with probability " + std::to_string(p_) + "/" + std::to_string(q_);
  }
  std::uint64_t outcomes() const override { return 2; }
  Number probability(std::uint64_t outcome) const override;
  bool attempt(RandomSource& source, std::uint64_t& outcome) const override {
    outcome = run(source);
    return true;
  }
  unsigned check_width() const override {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 16;
    return q_ > kMost ? 0 : no_words();
  }
  std::uint64_t run(RandomSource& source) const { return draw(UniformBelow(q_), source) < p_ ? 1 : 0; }

 private:
  std::uint64_t p_, q_;
};

/// 1 with probability exp(-p/q), else 0, from choices of rational probability alone (Canonne, Kamath, Steinke 2020,
/// Algorithm 1). q >= 1, both below 2^50.
class BernoulliExp final : public Choice {
 public:
  BernoulliExp(std::uint64_t p, std::uint64_t q) : p_(p), q_(q) {}
  Key key() const override { return {3, p_, q_}; }
  std::string describe() const override {
    return "one with probability exp(-" + std::to_string(p_) + "/" + std::to_string(q_) + ")";
  }
  std::uint64_t outcomes() const override { return 2; }
  Number probability(std::uint64_t outcome) const override;
  bool attempt(RandomSource& source, std::uint64_t& outcome) const override {
    outcome = run(source);
    return true;
  }
  unsigned check_width() const override { return no_words(); }
  std::uint64_t run(RandomSource& source) const;

 private:
  std::uint64_t p_, q_;
};

}  // namespace oddsbound
