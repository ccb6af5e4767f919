// How wrong a prior may be before a claimed level fails, and levels over sets of priors. The sets grow with a
// number, so the level is non-decreasing in it: doubling steps, then bisection on a grid of 1/10000, each step
// decided exactly.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "verifier/engine/measured_model.h"
#include "verifier/exact/level.h"
#include "verifier/model/definition.h"
#include "verifier/model/model.h"
#include "verifier/notions/scope.h"
#include "verifier/smt/over_sets.h"

namespace oddsbound::notions {

/// Families of sets of priors that grow with a number, with their types in specs.
enum class Growing { kWeights, kContaminated, kTotalVariation, kCorrelation };
inline const std::vector<std::string> kGrowingWords = {"weights", "contaminated", "total_variation", "correlation"};

/// The tolerance of a BCDP level that is claimed for a coordinate, against growing sets: a size at which the claim
/// holds over the set, and the next one on a grid of 1/10000, at which it fails.
struct Tolerance {
  std::string coordinate;
  Level claimed;
  struct Within {
    Growing set;
    Number holds;
    std::optional<Number> fails;  // nullopt: holds up to the largest size, 1 or a factor of 1000
    /// Levels over sets of growing size, from the prior alone to twice as far as the claim holds (up to a factor
    /// of 10 if it never fails).
    struct LevelAt {
      Number size;
      Level at_least;
      std::optional<Level> at_most;  // the upper bound of an unfinished level
    };
    std::vector<LevelAt> levels;
  };
  std::vector<Within> within;  // empty if the claim fails for the prior itself
};

/// Returns the tolerance. Throws LimitError if there are too many inputs and outputs to enumerate, or past the
/// budget.
Tolerance tolerance_of(MeasuredModel& subject, std::size_t coordinate, const Level& claimed);

// Claims for all priors of a set (verifier/priors), in place of the spec's prior.

/// Returns the field that names the set.
Field field_for_all();

/// Returns the level between the values of a coordinate over the set, with the prior that attains it in the
/// witness. scope: the values compared. at_once: the number of coordinates whose levels are to hold together.
/// to_come: the number of coordinates after this one, which share the remaining time. Throws LimitError if there
/// are too many inputs and outputs to enumerate and the set and the channel allow no search.
MeasuredLevel value_level_over(MeasuredModel& subject, const priors::PriorSet& set, std::size_t coordinate,
                               const Scope& scope = {}, std::size_t at_once = 1, std::size_t to_come = 0);
/// The same between inputs that have mass under a prior of the set.
MeasuredLevel input_level_over(MeasuredModel& subject, const priors::PriorSet& set);
/// The same between the labels of a secret.
MeasuredLevel label_level_over(MeasuredModel& subject, const priors::PriorSet& set, const Arguments& arguments);

/// Returns what a claim over a set compares, level by level.
std::vector<OverSet> compared_over_set(const Domain& domain, const Arguments& arguments);

/// Returns what is wrong with a claim's scope or set: the field and the message.
std::optional<std::pair<std::string, std::string>> complaint_about_set(const Domain& domain,
                                                                       const Arguments& arguments);

}  // namespace oddsbound::notions
