// What became of a claim: what is true, and what shows it.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "verifier/measures/tradeoff.h"
#include "verifier/model/arguments.h"
#include "verifier/model/witness.h"
#include "verifier/notions/claimed.h"
#include "verifier/smt/refinement.h"

namespace oddsbound::notions {

struct CoordinateLevel {
  std::string coordinate;
  MeasuredLevel measured;
};
struct Delta {
  Number delta;
  Witness witness;
};

/// What is true: one level (none where nothing is constrained), levels by coordinate, a delta, or a refinement.
using Actual = std::variant<std::monostate, MeasuredLevel, std::vector<CoordinateLevel>, Delta, Refinement>;

struct Decision {
  bool holds = false;
  Actual actual;
  std::optional<Witness> witness;    // of a claim that does not hold
  bool tight = false;                // no smaller level (or delta) holds
  bool by_cases = false;             // some level followed from parts of the channel (structure/input_levels.h)
  std::optional<Tradeoff> tradeoff;  // where asked for, and not part of the analysis anyway
};

/// One measured level against one claimed level.
Decision decide_level(const MeasuredLevel& actual, const Level& claimed);
/// Levels of all coordinates against those claimed; the witness is that of the first coordinate that fails.
Decision decide_coordinates(const Domain& domain, const std::vector<MeasuredLevel>& actual,
                            const CoordinateLevels& claimed);

/// How what is true stands to what is claimed, where both are levels or deltas, or a refinement was looked for.
struct Standing {
  bool holds = false;
  bool tight = false;  // it is exactly that
};
std::optional<Standing> standing_of(const Claimed& claimed, const Actual& actual);

/// The witness of what is true, where there is one.
std::optional<Witness> witness_of(const Actual& actual);

}  // namespace oddsbound::notions
