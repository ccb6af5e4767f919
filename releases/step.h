// What a release costs over tables that differ in some attributes of one record: as pure differential privacy, and as
// zero-concentrated differential privacy (zCDP; Bun and Steinke 2016), the supremum over a > 1 of the Renyi divergence
// of order a, divided by a.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mechanisms/mechanism.h"
#include "mechanisms/random/discrete_noise.h"
#include "mechanisms/random/source.h"
#include "releases/table.h"
#include "verifier/exact/level.h"

namespace oddsbound::releases {

struct Loss {
  Level pure{};   // the largest logarithm of a quotient of probabilities of outputs; infinite: there is no bound
  Number rho{0};  // zCDP at most

  bool is_zero() const { return rho.is_zero(); }
  /// Of steps one after the other, also if later ones depend on what earlier ones told. Where e to their loss would be
  /// too long a number (exponents of many different fractions), it is rounded up to a rational one.
  Loss& operator+=(const Loss& other);
};

/// Of a step of that pure loss. rho is level * tanh(level / 2), rounded up by less than 2^-50 of it: randomized
/// response has the largest divergences of all pairs within the level, and these are at most a * level * tanh(level /
/// 2) at order a. (level^2 / 2, which is often taken, is larger.)
Loss pure_loss(const Level& level);
/// The same where rho is known to be at most this as well.
Loss pure_loss(const Level& level, const Number& rho);
/// Of a step that has this rho and no bound on quotients.
Loss concentrated_loss(const Number& rho);

/// The least epsilon, nearly and rounded up to so many decimals, for which rho-zCDP implies (epsilon, delta)-DP: by the
/// conversion of Canonne, Kamath and Steinke (2020), Proposition 12, at one order; any order gives a valid one. rho is
/// positive and rational, delta in (0, 1) and rational.
Number epsilon_of(const Number& rho, const Number& delta, int decimals = 5);

/// The same of a loss: by rho, or its pure loss where that is less.
Number epsilon_of(const Loss& loss, const Number& delta, int decimals = 5);

// A step of a release: it reads a table and tells numbers, and says what that costs. One file per type of step.

/// One number that is told, and what it is about.
struct ToldNumber {
  std::string about;                     // "age=young, ill=yes"
  std::optional<std::int64_t> number{};  // none: what is told is that it is listed
  std::optional<double> margin{};        // 95 % of all numbers are no farther from the truth; rounded, for people
};

/// What a step promises of its result. Of settings alone: it is the same for every table of so many people.
struct Promise {
  std::string words;                      // "every combination that at least 0.1 of all people have is listed"
  std::optional<std::uint64_t> people{};  // from so many on it is kept in 95 of 100 runs; none: no number is known
};

/// A part of what a step costs: what it costs if any of these attributes changes, or (each) what each of them costs,
/// where several together cost no more than steps of such losses would, that all see what one of them sees.
struct CostPart {
  std::string name;
  Attributes reads;
  Loss loss;
  bool each = false;

  Loss of(const Attributes& changed) const;
};

class Step;
using StepPtr = std::shared_ptr<const Step>;

class Step {
 public:
  virtual ~Step() = default;
  /// In a few words: "counts by age; by age, job, with Laplace noise of scale 8".
  virtual std::string words() const = 0;
  /// Over tables that differ in these attributes of one record. It does not fall as attributes are added, and as pure
  /// loss, and under a root as rho, that of two sets together is at most the sum.
  virtual Loss loss(const Attributes& changed) const = 0;
  /// Parts that cost at least as much together, whatever changes.
  virtual std::vector<CostPart> parts() const = 0;
  /// The same step with other ends for what it tells: n people are never more than n + window, or fewer than -window.
  virtual StepPtr within(std::uint64_t window) const = 0;
  /// What its choices state differently from what is drawn, and by how little; empty: nothing.
  virtual std::string remark() const { return ""; }
  /// False: the step is only accounted.
  virtual bool runs() const { return true; }
  /// What is told of a table. Only through choices (random/choice.h), and numbers that depend on nothing but these and
  /// the table.
  virtual std::vector<std::int64_t> run(const PeopleTable& table, RandomSource& source) const = 0;
  /// What the numbers are about, for those that a run told of so many people.
  virtual std::vector<ToldNumber> answers(std::span<const std::int64_t> told, std::size_t people) const = 0;
  /// What the step promises; none: nothing, or the margins of its numbers say it.
  virtual std::optional<Promise> promise() const { return std::nullopt; }
  /// What somebody who reads this should know of the numbers that a run told of so many people. It follows from these
  /// numbers, the number of people and the settings.
  virtual std::vector<std::string> notes(std::span<const std::int64_t> told, std::size_t people) const;
  /// What a run told, for audits: each number with a key of what it is about. By its place, unless places mean
  /// something else in every run.
  virtual std::vector<KeyedNumber> keyed(std::span<const std::int64_t> told) const;
};

// A step that somebody else makes: it is accounted, and cannot be run.

StepPtr declared_step(CostPart part);

// The noise that counts are told with.

class Noise {
 public:
  enum class Kind { kLaplace, kGaussian };
  /// parameter: the scale, or the variance.
  Noise(Kind kind, SmallRatio parameter) : kind_(kind), parameter_(parameter) {}

  /// "Laplace noise of scale 8"
  std::string words() const;
  /// What the choices state differently from what is drawn; empty: nothing.
  std::string remark() const;
  /// Of so many numbers that change by 1.
  Loss loss(std::uint64_t changed) const;
  /// 95 % of all draws are within; rounded up.
  double margin() const;
  /// Noise beyond is as good as never drawn: 40 scales, or as far as ClampedGaussian::reach_of.
  std::uint64_t window() const;
  /// A number with noise, moved into low..high.
  std::int64_t added(std::int64_t number, std::int64_t low, std::int64_t high, RandomSource& source) const;

 private:
  Kind kind_;
  SmallRatio parameter_;
};

}  // namespace oddsbound::releases
