// How wrong a prior may be before a claimed level fails.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verifier/exact/level.h"
#include "verifier/model/model.h"
#include "verifier/ratios/measured_model.h"

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

}  // namespace oddsbound::notions
