// How wrong a prior may be before a claimed level fails.
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

/// Sets of priors that grow with a number, and their types in specs.
enum class Growing { kWeights, kContaminated, kTotalVariation, kCorrelation };
inline const std::vector<std::string> kGrowingWords = {"weights", "contaminated", "total_variation", "correlation"};

/// The BCDP level that is claimed for a coordinate, against sets that grow: at which number the level over the set is
/// still no larger, and at the next one of a grid of 1/10000 that it is.
struct Tolerance {
  std::string coordinate;
  Level claimed;
  struct Within {
    Growing set;
    Number holds;
    std::optional<Number> fails;  // none: it holds for all that are looked at, up to 1 or a factor of 1000
    /// Levels over sets of growing size, from the prior alone to twice as far as the claim holds (factors up to 10
    /// where it never fails).
    struct LevelAt {
      Number size;
      Level at_least;
      std::optional<Level> at_most;  // of a level that is known between bounds
    };
    std::vector<LevelAt> levels;
  };
  std::vector<Within> within;  // none where the level does not hold for the prior itself
};

/// By halving, each step decided exactly: where a level over a set that grows once is larger it stays so.
/// Throws LimitError where inputs and outputs are too many to go through, or past the budget.
Tolerance tolerance_of(MeasuredModel& subject, std::size_t coordinate, const Level& claimed);

// Claims that are meant for all priors of a set (verifier/sets), not for the spec's.

/// The field that names the set.
Field field_for_all();

/// The level between the values of a coordinate over the set; scope: which of them. at_once: levels of how many
/// coordinates are to hold together; to_come: of how many others after this one, which share the time that is left. The
/// witness has the prior that shows it. Throws LimitError where inputs and outputs are too many to go through, and the
/// set and the channel leave no other way.
MeasuredLevel value_level_over(MeasuredModel& subject, const priors::PriorSet& set, std::size_t coordinate,
                               const Scope& scope = {}, std::size_t at_once = 1, std::size_t to_come = 0);
/// The same between inputs that a member holds possible.
MeasuredLevel input_level_over(MeasuredModel& subject, const priors::PriorSet& set);
/// The same between the labels of a secret.
MeasuredLevel label_level_over(MeasuredModel& subject, const priors::PriorSet& set, const Arguments& arguments);

/// What a claim over a set compares, level by level.
std::vector<OverSet> compared_over_set(const Domain& domain, const Arguments& arguments);

/// What is wrong with a claim's scope or its set: the field, and what is wrong with it.
std::optional<std::pair<std::string, std::string>> complaint_about_set(const Domain& domain,
                                                                       const Arguments& arguments);

}  // namespace oddsbound::notions
