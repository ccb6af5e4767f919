// What was claimed, in one of a few forms: a notion names its own, and every result of a claim about it is written,
// read and put into words by that.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "verifier/engine/measured_model.h"
#include "verifier/exact/level.h"
#include "verifier/measures/leakage.h"
#include "verifier/measures/tradeoff.h"
#include "verifier/model/definition.h"
#include "verifier/model/domain.h"
#include "verifier/model/model.h"
#include "verifier/smt/refinement.h"

namespace oddsbound::notions {

/// The forms of what is claimed: a level; levels of coordinates; a level and delta; a level for every ordered pair of
/// inputs; to be made from a mechanism that is given.
enum class ClaimForm { kLevel, kByCoordinate, kLevelAndDelta, kMatrix, kMechanism };

/// A level (or, after "delta", a number) as it was claimed. Where it is a function of symbols it is known as text only.
class ClaimedValue {
 public:
  ClaimedValue() = default;
  explicit ClaimedValue(Level level) : level_(std::move(level)) {}
  explicit ClaimedValue(Number number) : number_(std::move(number)) {}
  explicit ClaimedValue(std::string text) : text_(std::move(text)) {}
  /// Exact, in the grammar.
  std::string text() const;
  /// Null where it is no level, or a function of symbols.
  const Level* level() const { return level_ ? &*level_ : nullptr; }
  const Number* number() const { return number_ ? &*number_ : nullptr; }
  std::size_t text_size() const;

 private:
  std::optional<Level> level_;
  std::optional<Number> number_;
  std::string text_;
};

struct Claimed {
  ClaimForm form = ClaimForm::kLevel;
  /// By coordinate; "epsilon" and "delta" of kLevelAndDelta; one without a name of kLevel.
  std::vector<std::pair<std::string, ClaimedValue>> values;
  std::vector<std::vector<ClaimedValue>> matrix;  // of kMatrix: [from][to]

  /// The level that is claimed for a coordinate (or for "", the one there is); null if there is none.
  const Level* level_of(const std::string& name) const;
};

struct Notion;
/// What the fields that are claimed say: of forms of levels, the one that the notion locks. A level that may be claimed
/// by coordinate is in that form where it is. symbols: they are functions of symbols, and kept as text.
Claimed claimed_of(const Notion& notion, const Domain& domain, const Arguments& arguments, bool symbols);

/// A matrix of bounds as text, row after row.
std::vector<std::vector<std::string>> matrix_text(const LevelMatrix& matrix, std::uint64_t inputs);

// What became of a claim: what is true, and what shows it.

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
struct ClaimOutcome {
  Answer holds = Answer::kNo;
  Answer tight = Answer::kNo;  // it is exactly that
  /// Of a claim that may say also that it is tight.
  Answer claim(bool tight_too) const { return tight_too ? both(holds, tight) : holds; }
};
ClaimOutcome standing_of(const MeasuredLevel& actual, const Level& claimed);
std::optional<ClaimOutcome> standing_of(const Claimed& claimed, const Actual& actual);

/// The witness of what is true, where there is one.
std::optional<Witness> witness_of(const Actual& actual);
/// Why something about it is open; empty if nothing is.
std::string open_reason(const Actual& actual);

// A privacy notion: all that the project knows of it. What a claim about it carries, what it says by definition, how it
// is decided, how claims and findings about it are written, put into words, locked and drawn.
//
// A new notion is one file that defines a function returning a Notion, and one line in the table of all notions
// (table.cpp). Nothing outside that file knows it by name.

/// What the privacy lock keeps of a claim (reports/lock.h).
struct Locking {
  /// The fields that bound what is measured. All others say what is measured, and are part of its name.
  std::vector<std::string> bounds{"epsilon"};
  /// Whose levels are measured, where that is another notion: those of partial_dp are CDP's.
  std::string measures{};
  /// What is measured does not say all that is claimed: whether the claim holds is locked too.
  bool verdict = false;
  /// So is the loss of every pair of inputs.
  bool pairs = false;
};

/// What a claimed level is drawn beside: losses and trade-off curves between inputs, or between values of coordinates.
enum class DrawnBeside { kNothing, kInputs, kValues };

/// The best guess after the output is right at most e^level times as often as before it: at a coordinate, or (none) at
/// the whole input.
struct LimitedGuesses {
  std::optional<std::size_t> coordinate;
  Level level;
};

/// What is measured without a claim: one level, or one for every coordinate.
using Measured = std::variant<MeasuredLevel, std::vector<MeasuredLevel>>;

struct Notion {
  std::string name;
  std::string title{};  // in reports, of those that are measured without a claim: "coordinate DP"
  std::string summary;
  std::string source;
  bool needs_prior = false;
  std::vector<Field> fields;
  ClaimForm form = ClaimForm::kLevel;
  /// Why nobody can claim that a level is the least; empty where one can.
  std::string never_tight{};
  std::function<Decision(MeasuredModel&, const Arguments&)> decide;
  /// The claim by its bare definition, where that compares probabilities.
  /// Among some inputs it is about these alone (and about labels, of whatever inputs).
  std::function<Definition(const Model&, const Arguments&, const InputSubset&)> define{};
  /// Whether it does: a claim over a set of priors (kForAll) is about other probabilities than the spec's, and a
  /// level with a root is no coefficient.
  bool defines(const Arguments& arguments) const { return define && !arguments.has(kForAll) && !arguments.has_roots(); }
  /// Else the claim as a limit on guesses.
  std::function<LimitedGuesses(const Arguments&)> limit_guesses{};
  /// Else a question in SMT-LIB 2, with the given comments, that is satisfiable if and only if the claim holds (and is
  /// tight, where that is claimed). Neither: Z3 has nothing to decide.
  std::function<std::string(const Model&, const Arguments&, bool tight, const std::vector<std::string>&)> question{};
  /// Where levels need no claim: what `analyze` shows.
  std::function<Measured(MeasuredModel&)> measure{};
  /// The same for who knows some coordinates of the person: of all others, where there is one level for each.
  std::function<Measured(MeasuredModel&, const std::vector<std::size_t>& known)> measure_given{};
  /// Whether audits ask about it without a claim too: its `define` compares the same at any level.
  bool audited = false;
  /// What is wrong with fields that do not go together: the field, and what is wrong with it.
  std::function<std::optional<std::pair<std::string, std::string>>(const Domain&, const Arguments&)> complaint{};
  /// Words before what is true: "the tightest pair has ".
  std::string found{};
  DrawnBeside drawn = DrawnBeside::kNothing;
  Locking locking{};
  /// Announces what `decide` will ask of the columns, if anything, so that several claims share one pass.
  std::function<void(MeasuredModel&, const Arguments&)> expect{};
};

}  // namespace oddsbound::notions
