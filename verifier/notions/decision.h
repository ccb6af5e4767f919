// What became of a claim: what is true, and what shows it.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "verifier/measures/leakage.h"
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

/// A level of what happens on average, which no single output shows.
struct Average {
  MeasuredLevel level;             // without a witness
  std::optional<Guesses> guesses;  // of Bayes leakage: what it is the quotient of
};

/// What is true: one level (none where nothing is constrained), levels by coordinate, a delta, a refinement, or a level
/// on average.
using Actual = std::variant<std::monostate, MeasuredLevel, std::vector<CoordinateLevel>, Delta, Refinement, Average>;
/// The one level that is true; null where there are several, or none.
const MeasuredLevel* single_level(const Actual& actual);

/// Open: the claim lies within what is known of a level whose search was stopped.
enum class Answer { kNo, kYes, kOpen };
inline Answer answer_of(bool yes) { return yes ? Answer::kYes : Answer::kNo; }
inline Answer both(Answer a, Answer b) {
  return a == Answer::kNo || b == Answer::kNo ? Answer::kNo : a == Answer::kYes ? b : a;
}

/// Of a claim that holds and has several bounds: one that could be lower, and the level that is true there.
struct Slack {
  MeasuredLevel level;
  Level bound;
};

struct Decision {
  Answer holds = Answer::kNo;
  Actual actual;
  std::optional<Witness> witness;  // of a claim that does not hold
  Answer tight = Answer::kNo;      // no smaller level (or delta) holds
  std::optional<Slack> slack{};    // the first there is, where no bound fails
  /// Of a refuted claim with a level for each pair: the one of the pair that `actual` is about.
  std::optional<Level> pair_bound{};
  std::set<Way> ways;                // how levels were found
  std::optional<Tradeoff> tradeoff;  // where asked for, and not part of the analysis anyway
};

/// One measured level against one claimed level.
Decision decide_level(const MeasuredLevel& actual, const Level& claimed);
/// Levels of all coordinates against those claimed; the witness is that of the first coordinate that fails.
Decision decide_coordinates(const Domain& domain, const std::vector<MeasuredLevel>& actual,
                            const CoordinateLevels& claimed);

/// How what is true stands to what is claimed, where both are levels or deltas, or a refinement was looked for.
struct Standing {
  Answer holds = Answer::kNo;
  Answer tight = Answer::kNo;  // it is exactly that
  /// Of a claim that may say also that it is tight.
  Answer claim(bool tight_too) const { return tight_too ? both(holds, tight) : holds; }
};
Standing standing_of(const MeasuredLevel& actual, const Level& claimed);
std::optional<Standing> standing_of(const Claimed& claimed, const Actual& actual);

/// The witness of what is true, where there is one.
std::optional<Witness> witness_of(const Actual& actual);
/// Why something about it is open; empty if nothing is.
std::string open_reason(const Actual& actual);

}  // namespace oddsbound::notions
