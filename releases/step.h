// Steps of a release, their noise and their losses. Losses compare tables that differ in some attributes of one
// record: as pure differential privacy, and as zero-concentrated DP (zCDP; Bun and Steinke 2016), the supremum
// over a > 1 of the Renyi divergence of order a, divided by a.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mechanisms/mechanism.h"
#include "mechanisms/random/distributions.h"
#include "mechanisms/random/source.h"
#include "releases/table.h"
#include "verifier/exact/level.h"

namespace oddsbound::releases {

struct Loss {
  Level pure{};   // the largest log of a quotient of output probabilities; infinite: no bound
  Number rho{0};  // upper bound for zCDP

  bool is_zero() const { return rho.is_zero(); }
  /// Composition of successive steps, also if later steps depend on earlier outputs. If e^loss would be too long a
  /// number (exponents with many different fractions), it is rounded up to a rational.
  Loss& operator+=(const Loss& other);
};

/// Returns the loss of a step with this pure loss. rho = level * tanh(level / 2), rounded up by a relative error <
/// 2^-50: among all pairs within the level, randomized response has the largest divergences, and at order a these
/// are at most a * level * tanh(level / 2). (The common bound level^2 / 2 is larger.)
Loss pure_loss(const Level& level);
/// The same, with another upper bound on rho.
Loss pure_loss(const Level& level, const Number& rho);
/// Returns the loss of a step with this rho and no bound on quotients.
Loss concentrated_loss(const Number& rho);

/// Returns nearly the least epsilon for which rho-zCDP implies (epsilon, delta)-DP, rounded up to `decimals`
/// decimals. Uses Canonne, Kamath and Steinke (2020), Proposition 12, at one order; any order gives a valid
/// epsilon. rho must be positive and rational, delta rational in (0, 1).
Number epsilon_of(const Number& rho, const Number& delta, int decimals = 5);

/// The same for a loss: by rho, or by its pure loss if that is less.
Number epsilon_of(const Loss& loss, const Number& delta, int decimals = 5);

// A step of a release reads a table, publishes numbers and states their cost. One file per type of step.

/// A published number and its subject.
struct ToldNumber {
  std::string about;                     // "age=young, ill=yes"
  std::optional<std::int64_t> number{};  // nullopt: only that it is listed is published
  std::optional<double> margin{};        // 95 % are within this distance of the truth; rounded
};

/// A promise about a step's result. It depends on the settings only, so it is the same for every table with as
/// many people.
struct Promise {
  std::string words;                      // "every combination that at least 0.1 of all people have is listed"
  std::optional<std::uint64_t> people{};  // number from which on it is kept in 95 of 100 runs; nullopt: unknown
};

/// A figure that is known before data are collected; rounded. source: the statement that it is from; empty: a
/// computation on the step's own noise.
struct PlannedFigure {
  std::string what;
  double value = 0;
  std::string source{};
};

/// A question before data are collected.
struct PlanQuestion {
  std::optional<std::uint64_t> people{};
  std::optional<double> error{};  // a fraction of the people, above 0 and below 1
};

/// A part of a step's cost. It applies if any of these attributes changes; with `each`, it is the cost of each
/// one. In that case a change of several costs at most as much as separate steps, each with the loss for one
/// attribute.
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
  /// A short description: "counts by age; by age, job, with Laplace noise of scale 8".
  virtual std::string words() const = 0;
  /// Returns the loss over tables that differ in these attributes of one record. It is non-decreasing in the set.
  /// For two sets, the pure loss of the union is at most the sum, and so is the square root of rho.
  virtual Loss loss(const Attributes& changed) const = 0;
  /// Returns parts whose costs add up to at least the loss, whatever changes.
  virtual std::vector<CostPart> parts() const = 0;
  /// Returns the same step with another window: numbers for n people are clamped to -window..n + window.
  virtual StepPtr within(std::uint64_t window) const = 0;
  /// How the stated probabilities of its choices differ from what is drawn, and a bound on that; empty: not at
  /// all.
  virtual std::string remark() const { return ""; }
  /// False: the step is only accounted for.
  virtual bool runs() const { return true; }
  /// Returns the numbers published from a table. Randomness comes only through choices (random/choice.h), and the
  /// numbers depend on nothing but these and the table.
  virtual std::vector<std::int64_t> run(const PeopleTable& table, RandomSource& source) const = 0;
  /// Returns the published numbers of a run with their subjects, for a table with this many people.
  virtual std::vector<ToldNumber> answers(std::span<const std::int64_t> told, std::size_t people) const = 0;
  /// Returns the step's promise; nullopt: none, or the margins of its numbers state it.
  virtual std::optional<Promise> promise() const { return std::nullopt; }
  /// Returns the step's errors to expect from so many people, and how many people an error takes. Reads no table.
  virtual std::vector<PlannedFigure> plan(const PlanQuestion& question) const;
  /// Returns notes for readers of the numbers. They follow from these numbers, the number of people and the
  /// settings.
  virtual std::vector<std::string> notes(std::span<const std::int64_t> told, std::size_t people) const;
  /// Returns the numbers of a run for audits, keyed by subject: by position, unless positions have another meaning
  /// in every run.
  virtual std::vector<KeyedNumber> keyed(std::span<const std::int64_t> told) const;
};

// A step that is made elsewhere: it is accounted for, and cannot be run.

StepPtr declared_step(CostPart part);

// The noise of counts.

class Noise {
 public:
  enum class Kind { kLaplace, kGaussian };
  /// parameter: the scale, or the variance.
  Noise(Kind kind, SmallRatio parameter) : kind_(kind), parameter_(parameter) {}

  /// "Laplace noise of scale 8"
  std::string words() const;
  /// How the stated probabilities differ from what is drawn; empty: not at all.
  std::string remark() const;
  /// Returns the loss if `changed` numbers change by 1.
  Loss loss(std::uint64_t changed) const { return loss(Changes{{1, changed}}); }
  /// How many numbers change by how much.
  using Changes = std::map<std::uint64_t, std::uint64_t>;
  Loss loss(const Changes& changes) const;
  bool is_gaussian() const { return kind_ == Kind::kGaussian; }
  /// The variance of one draw, rounded up; and a bound on the expected largest absolute value of `numbers` draws.
  double variance() const;
  double largest_of(std::uint64_t numbers) const;
  /// Returns the bound that contains 95 % of all draws, rounded up.
  double margin() const;
  /// Noise beyond this is practically never drawn: 40 scales (Laplace), or ClampedGaussian::reach_of.
  std::uint64_t window() const;
  /// Returns a number plus noise, clamped to low..high.
  std::int64_t added(std::int64_t number, std::int64_t low, std::int64_t high, RandomSource& source) const;

 private:
  Kind kind_;
  SmallRatio parameter_;
};

}  // namespace oddsbound::releases
