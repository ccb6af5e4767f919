// Random choices with a stated distribution, the integers that they compare, and the paths of code through its
// choices.
//
// Compared integers: code that draws integers and only compares them can be followed along every branch, with the
// range of integers that takes the branch. Words of full width then need no enumeration. The type of the integer
// ensures that code only compares it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <typeindex>
#include <vector>

#include "base/errors.h"
#include "base/namespaces.h"
#include "mechanisms/random/source.h"
#include "verifier/exact/number.h"

namespace oddsbound::mechanisms {

class ComparedInteger;
class UniformBelow;

/// Hands out unknown integers and decides every comparison with one.
class ComparingSource {
 public:
  ComparingSource() = default;
  ComparingSource(const ComparingSource&) = delete;
  ComparingSource& operator=(const ComparingSource&) = delete;
  virtual ~ComparingSource() = default;

  /// As wide as the words of the sources that are used for releases.
  static constexpr unsigned width() { return 64; }
  /// Returns a fresh word.
  ComparedInteger word();
  /// Returns an integer with the distribution of the choice.
  ComparedInteger uniform(const UniformBelow& choice);
  /// Whether the integer with this number is below the bound.
  virtual bool below(std::size_t number, std::uint64_t bound) = 0;

 protected:
  /// The number of a fresh integer.
  virtual std::size_t fresh_word() = 0;
  virtual std::size_t fresh(const UniformBelow& choice) = 0;
};

class ComparedInteger {
 public:
  ComparedInteger(ComparingSource& source, std::size_t number) : source_(&source), number_(number) {}
  friend bool operator<(ComparedInteger a, std::uint64_t b) { return a.source_->below(a.number_, b); }
  friend bool operator<(std::uint64_t a, ComparedInteger b) { return a != UINT64_MAX && !(b < a + 1); }
  friend bool operator==(ComparedInteger a, std::uint64_t b) { return !(a < b) && !(b < a); }

 private:
  ComparingSource* source_;
  std::size_t number_;
};

inline ComparedInteger ComparingSource::word() { return {*this, fresh_word()}; }
inline ComparedInteger ComparingSource::uniform(const UniformBelow& choice) { return {*this, fresh(choice)}; }
inline ComparedInteger draw(const UniformBelow& choice, ComparingSource& source) { return source.uniform(choice); }

// Random choices with a stated distribution: samplers use randomness only through these.
//
// A choice states the exact probability of each outcome and has code that draws one from random words. If a source
// has an observer, drawing asks the observer for the outcome instead. So the exhaustive check replays a sampler on
// every sequence of outcomes. It also checks that the code of each choice has the stated distribution: by
// induction (uniform choices), along every branch (code that only compares), or on every sequence of draws.

class Choice {
 public:
  /// Choices of the same class with equal keys are equal.
  struct Key {
    std::uint64_t first, second, third;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  virtual ~Choice() = default;
  virtual Key key() const = 0;
  virtual std::string describe() const = 0;
  virtual std::uint64_t outcomes() const = 0;
  virtual Number probability(std::uint64_t outcome) const = 0;
  /// Whether all outcomes have the same probability.
  virtual bool is_uniform() const { return false; }
  /// Runs the choice's code once. False: run it again; the outcome is that of the first run that returns true.
  virtual bool attempt(RandomSource& source, std::uint64_t& outcome) const = 0;
  /// Runs the same code on unknown integers, if it only compares them.
  virtual std::optional<std::uint64_t> compare(ComparingSource&) const { return std::nullopt; }
  /// The width of words at which the code can be checked on every sequence of words; 0 if there are too many.
  /// no_words(): the code only makes other choices and must not draw words itself.
  virtual unsigned check_width() const { return 1; }
  static constexpr unsigned no_words() { return 65; }
};

/// A choice whose code is C::run: the checked code is the one that draw() calls.
template <class C>
class CodedChoice : public Choice {
 public:
  bool attempt(RandomSource& source, std::uint64_t& outcome) const final {
    outcome = static_cast<const C&>(*this).run(source);
    return true;
  }
};

/// A choice whose code only compares what it draws: C::run is a template over sources.
template <class C>
class ComparingChoice : public CodedChoice<C> {
 public:
  std::optional<std::uint64_t> compare(ComparingSource& source) const final {
    return static_cast<const C&>(*this).run(source);
  }
};

/// A choice whose code, attempt(), only makes other choices and is repeated until it has an outcome.
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

}  // namespace oddsbound::mechanisms

namespace oddsbound {

/// Decides choices in place of random words.
class ChoiceObserver {
 public:
  virtual ~ChoiceObserver() = default;
  virtual std::uint64_t choose(const mechanisms::Choice& choice) = 0;
};

}  // namespace oddsbound

namespace oddsbound::mechanisms {

/// Draws an outcome. `C::run` is the code of the choice.
template <class C>
std::uint64_t draw(const C& choice, RandomSource& source) {
  if (ChoiceObserver* observer = source.observer()) [[unlikely]]
    return observer->choose(choice);
  return choice.run(source);
}

/// One of 0..n-1, each with probability 1/n: floor(u * n) of a uniform real u whose digits are drawn until the
/// floor is certain. No division, no rejection; nearly always one word. n >= 1.
class UniformBelow final : public CodedChoice<UniformBelow> {
 public:
  explicit UniformBelow(std::uint64_t n) : n_(n) {}
  Key key() const override { return {n_, 0, 0}; }
  std::string describe() const override { return "uniform below " + std::to_string(n_); }
  std::uint64_t outcomes() const override { return n_; }
  Number probability(std::uint64_t outcome) const override;
  bool is_uniform() const override { return true; }
  /// For checks without the proof by induction: a power of two is decided by one word of n values; otherwise the
  /// check runs over about n^2 pairs of words.
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

/// 1 with probability exp(-p/q), else 0, from choices of rational probability only (Canonne, Kamath, Steinke 2020,
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

// Identifies a choice, so that it can be recognized.

struct ChoiceName {
  std::type_index type;
  Choice::Key key;
  explicit ChoiceName(const Choice& choice) : type(typeid(choice)), key(choice.key()) {}
  friend auto operator<=>(const ChoiceName&, const ChoiceName&) = default;
};

// The path of a run through its choices. If a path decides the choices and the code runs again for every path,
// depth first, this enumerates everything that the code may do, with the weight of each path.

/// The stated weights of a choice's outcomes.
template <class Weight>
struct StatedWeights {
  std::uint64_t outcomes = 0;
  Weight each{};                // of a uniform choice
  std::vector<Weight> weights;  // of any other choice
  const Weight& of(std::uint64_t outcome) const { return weights.empty() ? each : weights[outcome]; }
};

/// Weights have a product and is_zero(); outcomes of weight 0 are skipped.
template <class Weight>
class ChoicePath {
 public:
  /// whole: the weight of a run without choices.
  explicit ChoicePath(Weight whole) : whole_(std::move(whole)) {}

  /// Begins a run.
  void restart() { depth_ = 0; }
  /// The product of the weights of the outcomes so far.
  const Weight& weight() const { return nodes_.empty() ? whole_ : nodes_.back().after; }
  /// Whether the outcome of the next choice is known; again() returns it.
  bool is_known() const { return depth_ < nodes_.size(); }
  /// Returns the known outcome. name: nullopt for a random word. Throws ModelError if the run before made another
  /// choice there.
  std::uint64_t again(const std::optional<ChoiceName>& name) {
    if (nodes_[depth_].name != name) unsteady();
    return nodes_[depth_++].outcome;
  }
  /// Returns the first outcome of a choice that is new on this path. `stated` must outlive the path.
  std::uint64_t begin(const StatedWeights<Weight>& stated, const std::optional<ChoiceName>& name) {
    Node node{name, &stated, weight(), 0, whole_};
    enter(node, 0);
    nodes_.push_back(std::move(node));
    ++depth_;
    return nodes_.back().outcome;
  }
  /// Ends a run, which must have made all choices of the earlier runs with the same outcomes.
  void finish() const {
    if (depth_ != nodes_.size()) unsteady();
  }
  /// Moves to the next path; false after the last.
  bool advance() {
    for (; !nodes_.empty(); nodes_.pop_back()) {
      if (enter(nodes_.back(), nodes_.back().outcome + 1)) return true;
    }
    return false;
  }

 private:
  struct Node {
    std::optional<ChoiceName> name;
    const StatedWeights<Weight>* stated;
    Weight before;
    std::uint64_t outcome;
    Weight after;
  };

  [[noreturn]] static void unsteady() {
    throw ModelError("a sampler does not draw the same again from the same outcomes of its choices");
  }

  static bool enter(Node& node, std::uint64_t outcome) {
    while (outcome < node.stated->outcomes && node.stated->of(outcome).is_zero()) ++outcome;
    if (outcome >= node.stated->outcomes) return false;
    node.outcome = outcome;
    node.after = node.before * node.stated->of(outcome);
    return true;
  }

  Weight whole_;
  std::vector<Node> nodes_;
  std::size_t depth_ = 0;
};

}  // namespace oddsbound::mechanisms
