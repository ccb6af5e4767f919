// Random choices with a stated distribution: the only way in which samplers use randomness.
//
// A choice states the exact probability of each outcome, and has code that draws one from random words. Where a source
// has an observer, drawing asks the observer for the outcome instead: so the exhaustive check replays a sampler on
// every sequence of outcomes, and shows of the code of each choice that it keeps what the choice states: by induction
// (uniform choices), along every branch (code that only compares), or on every sequence of what it draws.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>

#include "mechanisms/random/compared.h"
#include "mechanisms/random/source.h"
#include "mechanisms/random/uniform_step.h"
#include "verifier/exact/number.h"

namespace oddsbound::mechanisms {

class Choice {
 public:
  /// Equal keys of choices of one class mean equal choices.
  struct Key {
    std::uint64_t first, second, third;
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
  /// The same code run on integers that are not known, if it only compares them.
  virtual std::optional<std::uint64_t> compare(ComparingSource&) const { return std::nullopt; }
  /// The width of words with which the code can be checked on every sequence of words; 0 if there are too many. Code
  /// that only makes other choices, and must not draw words itself, says no_words().
  virtual unsigned check_width() const { return 1; }
  static constexpr unsigned no_words() { return 65; }
};

/// A choice whose code is C::run: what is checked is what draw() calls.
template <class C>
class CodedChoice : public Choice {
 public:
  bool attempt(RandomSource& source, std::uint64_t& outcome) const final {
    outcome = static_cast<const C&>(*this).run(source);
    return true;
  }
};

/// One whose code does nothing with what it draws but compare it: C::run is a template over sources.
template <class C>
class ComparingChoice : public CodedChoice<C> {
 public:
  std::optional<std::uint64_t> compare(ComparingSource& source) const final {
    return static_cast<const C&>(*this).run(source);
  }
};

/// A choice whose code, attempt(), makes other choices alone and is run until it has an outcome.
class RetriedChoice : public Choice {
 public:
  unsigned check_width() const final { return no_words(); }
  std::uint64_t run(RandomSource& source) const {
    std::uint64_t outcome = 0;
    while (!attempt(source, outcome)) {
    }
    return outcome;
  }
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
class UniformBelow final : public CodedChoice<UniformBelow> {
 public:
  explicit UniformBelow(std::uint64_t n) : n_(n) {}
  Key key() const override { return {n_, 0, 0}; }
  std::string describe() const override { return "uniform below " + std::to_string(n_); }
  std::uint64_t outcomes() const override { return n_; }
  Number probability(std::uint64_t outcome) const override;
  bool is_uniform() const override { return true; }
  /// Where the proof by induction is not to be had: one word of n values decides below a power of two; else the walk
  /// goes over some n^2 pairs of words.
  unsigned check_width() const override {
    const std::uint64_t most = std::has_single_bit(n_) ? std::uint64_t{1} << 20 : 4096;
    return n_ > most ? 0 : std::max(1U, static_cast<unsigned>(std::bit_width(n_ - 1)));
  }

  std::uint64_t run(RandomSource& source) const {
    if (n_ == 1) return 0;
    const auto begun = UniformStep::first<std::uint64_t>(source.word(), n_, source.width());
    if (begun.certain) [[likely]]
      return begun.whole;
    return begun.whole + carry(source, begun.fraction);
  }

 private:
  std::uint64_t carry(RandomSource& source, std::uint64_t fraction) const;
  std::uint64_t n_;
};

/// 1 with probability p/q, else 0. 0 <= p <= q, q >= 1.
class BernoulliRatio final : public ComparingChoice<BernoulliRatio> {
 public:
  BernoulliRatio(std::uint64_t p, std::uint64_t q) : p_(p), q_(q) {}
  Key key() const override { return {p_, q_, 0}; }
  std::string describe() const override {
    return "one with probability " + std::to_string(p_) + "/" + std::to_string(q_);
  }
  std::uint64_t outcomes() const override { return 2; }
  Number probability(std::uint64_t outcome) const override;
  template <class Source>
  std::uint64_t run(Source& source) const {
    return draw(UniformBelow(q_), source) < p_ ? 1 : 0;
  }

 private:
  std::uint64_t p_, q_;
};

/// 1 with probability exp(-p/q), else 0, from choices of rational probability alone (Canonne, Kamath, Steinke 2020,
/// Algorithm 1). q >= 1, both below 2^50.
class BernoulliExp final : public CodedChoice<BernoulliExp> {
 public:
  BernoulliExp(std::uint64_t p, std::uint64_t q) : p_(p), q_(q) {}
  Key key() const override { return {p_, q_, 0}; }
  std::string describe() const override {
    return "one with probability exp(-" + std::to_string(p_) + "/" + std::to_string(q_) + ")";
  }
  std::uint64_t outcomes() const override { return 2; }
  Number probability(std::uint64_t outcome) const override;
  unsigned check_width() const override { return no_words(); }
  std::uint64_t run(RandomSource& source) const;

 private:
  std::uint64_t p_, q_;
};

}  // namespace oddsbound::mechanisms
