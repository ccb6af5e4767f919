// A step of a release: it reads a table and tells numbers, and says what that costs. One file per type of step.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mechanisms/random/source.h"
#include "mechanisms/releases/loss.h"
#include "mechanisms/releases/table.h"
#include "mechanisms/unlisted.h"

namespace oddsbound::mechanisms {

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

}  // namespace oddsbound::mechanisms
