// A privacy notion and the results of claims about it: the forms of a claim, the outcome of a decision, and the
// Notion record that holds everything the project knows about a notion. Results are written, read and put into
// words by the claim's form.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/budget.h"
#include "verifier/engine/measured_model.h"
#include "verifier/exact/level.h"
#include "verifier/exact/scaled_level.h"
#include "verifier/measures/leakage.h"
#include "verifier/measures/tradeoff.h"
#include "verifier/model/definition.h"
#include "verifier/model/domain.h"
#include "verifier/model/model.h"
#include "verifier/smt/refinement.h"
#include "verifier/smt/statement.h"

namespace oddsbound::notions {

/// The forms of a claim: one level; levels of coordinates; a level and a delta; a level for every ordered pair of
/// inputs; being a post-processing of a given mechanism; a number.
enum class ClaimForm { kLevel, kByCoordinate, kLevelAndDelta, kMatrix, kMechanism, kNumber };

/// A level (or, for "delta" and probabilities, a number) as claimed. A function of symbols is kept as text only.
class ClaimedValue {
 public:
  ClaimedValue() = default;
  explicit ClaimedValue(Level level) : value_(std::move(level)) {}
  explicit ClaimedValue(Number number) : value_(std::move(number)) {}
  explicit ClaimedValue(std::string text) : value_(std::move(text)) {}
  /// Exact, in the expression grammar.
  std::string text() const;
  /// Null if the value is not a level, or is a function of symbols.
  const Level* level() const { return std::get_if<Level>(&value_); }
  const Number* number() const { return std::get_if<Number>(&value_); }
  std::size_t text_size() const;
  /// For readers: the text of the spec if that is a decimal ("3.1488"), otherwise text().
  const std::string& written() const { return written_; }
  std::string text_for_readers() const { return written_.empty() ? text() : written_; }
  void set_written(std::string decimal) { written_ = std::move(decimal); }

 private:
  std::string written_;
  std::variant<std::string, Level, Number> value_;  // one alternative: a matrix of levels has millions of these
};

struct Claimed {
  ClaimForm form = ClaimForm::kLevel;
  /// By coordinate; for kLevelAndDelta "epsilon" and "delta"; for kLevel and kNumber one value without a name.
  std::vector<std::pair<std::string, ClaimedValue>> values;
  std::vector<std::vector<ClaimedValue>> matrix;  // for kMatrix: [from][to]
  /// For kMatrix, in place of the matrix: the function that gives the levels, as JSON (PairLevels::written).
  std::string function{};

  /// Returns the level claimed for a coordinate (for "": the only one); null if there is none.
  const Level* level_of(const std::string& name) const;
  /// The claim states one value, without a name.
  bool is_one_value() const { return form == ClaimForm::kLevel || form == ClaimForm::kNumber; }
  /// Returns the claimed number: a delta or a probability; null if there is none.
  const Number* number() const;
};

struct Notion;
/// The form of a claim: a level may be claimed by coordinate, or with a delta.
ClaimForm form_of(const Notion& notion, const Arguments& arguments);
/// The fields of a claim that bound the measured value: those of its notion, or the delta of a tail.
std::vector<std::string> bounds_of(const Notion& notion, const Arguments& arguments);
/// Returns the values of the claimed fields. For forms of levels: those of the field that the notion locks. A
/// level that may be claimed by coordinate gives kByCoordinate if it is. symbols: the values are functions of
/// symbols and are kept as text.
Claimed claimed_of(const Notion& notion, const Domain& domain, const Arguments& arguments, bool symbols);

/// Returns a matrix of bounds as text, row by row.
std::vector<std::vector<std::string>> matrix_text(const LevelMatrix& matrix, std::uint64_t inputs);

// Outcomes of claims: the actual levels, and their witnesses.

/// Levels by coordinate.
using NamedLevels = std::vector<std::pair<std::string, MeasuredLevel>>;
/// A number that a claim bounds by another number: the delta of a notion, the largest probability of a value after an
/// output, or how far a trade-off curve is below the claimed one.
enum class NumberKind { kDelta, kPosterior, kShortfall };
struct MeasuredNumber {
  /// The upper bound of a number that is known between two numbers only.
  struct Unfinished {
    Number at_most;      // larger than the lower end
    std::string reason;  // why nothing more is known
  };

  Number at_least;  // the number itself, unless it is unfinished
  Witness witness;
  std::optional<Unfinished> unfinished{};
  NumberKind kind = NumberKind::kDelta;

  const Number& at_most() const { return unfinished ? unfinished->at_most : at_least; }
};

/// A level of an average, which no single output shows.
struct Average {
  MeasuredLevel level;             // without a witness
  std::optional<Guesses> guesses;  // for Bayes leakage: the level is their quotient
};

/// The actual result: one level (empty if nothing is constrained), levels by coordinate, a number, a refinement, or
/// a level of an average.
using Actual = std::variant<std::monostate, MeasuredLevel, NamedLevels, MeasuredNumber, Refinement, Average>;
/// Returns the single actual level; null if there are several or none.
const MeasuredLevel* single_level(const Actual& actual);

/// An actual level, and the bound that a claim states for it.
struct LevelAndBound {
  MeasuredLevel level;
  ScaledLevel bound;
};

struct Decision {
  Answer holds = Answer::kNo;
  Actual actual;
  std::optional<Witness> witness;        // of a claim that does not hold
  Answer tight = Answer::kNo;            // no smaller level (or delta) holds
  std::optional<LevelAndBound> slack{};  // if no bound fails: the first one that could be lower
  /// For a refuted claim with a level per pair, and for one whose levels are a function: the bound of the pair that
  /// `actual` is about.
  std::optional<ScaledLevel> pair_bound{};
  std::set<Way> ways;                // how levels were found
  bool by_sums = false;              // from bounds of sums over outputs (engine/output_sums.h)
  std::optional<Tradeoff> tradeoff;  // if requested, and not part of the analysis anyway
};

/// Compares one measured level with one claimed level.
Decision decide_level(const MeasuredLevel& actual, const Level& claimed);
/// Compares a measured number with the claimed one.
Decision decide_number(MeasuredNumber actual, const Number& claimed);
/// Compares the measured levels of all coordinates with the claimed ones; the witness is that of the first
/// coordinate that fails.
Decision decide_coordinates(const Domain& domain, const std::vector<MeasuredLevel>& actual,
                            const CoordinateLevels& claimed);

/// How the actual result compares with the claim, for levels, deltas and refinements.
struct ClaimOutcome {
  Answer holds = Answer::kNo;
  Answer tight = Answer::kNo;  // the actual value equals the claimed one
  /// Whether the claim is true. tight_too: it also claims to be tight.
  Answer claim(bool tight_too) const { return tight_too ? both(holds, tight) : holds; }
};
ClaimOutcome standing_of(const MeasuredLevel& actual, const Level& claimed);
ClaimOutcome standing_of(const MeasuredLevel& actual, const ScaledLevel& claimed);
ClaimOutcome standing_of(const MeasuredNumber& actual, const Number& claimed);
std::optional<ClaimOutcome> standing_of(const Claimed& claimed, const Actual& actual);

/// Returns the witness of the actual result, if there is one.
std::optional<Witness> witness_of(const Actual& actual);
/// Returns why something about the result is open; empty if nothing is.
std::string open_reason(const Actual& actual);

// A privacy notion: the fields of a claim, its bare definition, how it is decided, and how claims and results are
// written, put into words, locked and drawn.
//
// A new notion is one file that defines a function returning a Notion, and one line in the table of all notions
// (table.cpp). No code outside that file uses its name.

/// The parts of a claim that the privacy lock keeps (reports/lock.h).
struct Locking {
  /// The fields that bound the measured value. All other fields select what is measured and are part of its name.
  std::vector<std::string> bounds{"epsilon"};
  /// The notion whose levels are measured, if it is another one: partial_dp locks the levels of cdp.
  std::string measures{};
  /// The measured value does not determine the claim: the verdict is locked too.
  bool verdict = false;
  /// The loss of every pair of inputs is locked too.
  bool pairs = false;
};

/// The curves that a claimed level is drawn with: losses and trade-off curves between inputs, or between values of
/// coordinates.
enum class DrawnBeside { kNothing, kInputs, kValues };

/// How certificates prove claims where inputs and outputs are too many to enumerate (app/certify.h).
struct LargeProofs {
  bool by_parts = false;    // from the losses of the channel's factors, between inputs
  bool by_cases = false;    // from parts of the channel that share neither inputs nor outputs
  bool by_bounds = false;   // from bounds of the levels between the values of coordinates
  bool by_losses = false;   // from the losses of the channel's factors, as a divergence between inputs
  bool by_classes = false;  // from classes of pairs of inputs that families declare
  // for an average: true if declared classes of outputs decide the claim, so that no sum is needed
  std::function<bool(const MeasuredModel&, const Arguments&)> by_output_classes{};
};

/// A limit on guesses: the best guess after the output is right at most e^level times as often as before it.
/// coordinate: what is guessed; nullopt: the whole input.
struct LimitedGuesses {
  std::optional<std::size_t> coordinate;
  Level level;
};

/// The result of a measurement without a claim: one level, or one per coordinate.
using Measured = std::variant<MeasuredLevel, std::vector<MeasuredLevel>>;

/// True if the adversary may know any set of other coordinates: "known": "any" (scope.h).
inline bool knows_anything(const Arguments& arguments) { return arguments.find_if<std::string>("known") != nullptr; }

struct Notion {
  std::string name;
  std::string title{};  // in reports, if measured without a claim: "coordinate DP"
  std::string summary;
  std::string source;
  bool needs_prior = false;
  std::vector<Field> fields;
  ClaimForm form = ClaimForm::kLevel;
  /// Why no claim can state that a level is tight; empty if a claim can.
  std::string never_tight{};
  std::function<Decision(MeasuredModel&, const Arguments&)> decide;
  /// The same for the histogram of shuffled reports (verifier/model/shuffle.h): from the model of one person's report,
  /// and the number of people. Without it such claims are undecided.
  std::function<Decision(MeasuredModel& local, std::uint64_t people, const Arguments&)> decide_shuffled{};
  /// The claim by its bare definition, if that compares probabilities. With a subset of the inputs: the
  /// comparisons among these alone (and between labels, of all inputs).
  std::function<Definition(const Model&, const Arguments&, const InputSubset&)> define{};
  /// Whether `define` applies. A claim over a set of priors (kForAll) is about other probabilities than the
  /// spec's, a level with a root is not a coefficient, and where anything may be known, an input has many labels.
  bool defines(const Arguments& arguments) const {
    return define && !arguments.has(kForAll) && !arguments.has_roots() && !knows_anything(arguments) &&
           !allows_tail(arguments);
  }
  /// True if claims of a level may have an optional "delta": then outputs that exceed the level may have this
  /// probability, which is no comparison of two sides.
  bool may_allow_tail() const;
  /// True if this claim does.
  bool allows_tail(const Arguments& arguments) const;
  /// Without `define`: the claim as a limit on guesses.
  std::function<LimitedGuesses(const Arguments&)> limit_guesses{};
  /// Without `define`: the claim as conditions on sums of probabilities, for Z3 (verifier/smt/statement.h).
  std::function<Statement(const Model&, const Arguments&, Budget&)> state{};
  /// Without `define`: a script in SMT-LIB 2, with the given comments, that is satisfiable if and only if the
  /// claim holds (and is tight, if that is claimed). Without `state` and `question` as well, Z3 cannot decide the
  /// claim.
  std::function<std::string(const Model&, const Arguments&, bool tight, const std::vector<std::string>&)> question{};
  /// Comparisons that follow from the claim, for audits: runs that contradict one contradict the claim. Without it,
  /// audits play against `define`. Not called for claims over a set of priors, with roots, or where anything may be
  /// known.
  std::function<Definition(const Model&, const Arguments&, const InputSubset&)> imply{};
  /// Measures without a claim, for `analyze`.
  std::function<Measured(MeasuredModel&)> measure{};
  /// The same for an adversary who knows some coordinates. With a level per coordinate: those of all other coordinates.
  std::function<Measured(MeasuredModel&, const std::vector<std::size_t>& known)> measure_given{};
  /// Whether audits ask about it without a claim too: its `define` compares the same pairs at any level.
  bool audited = false;
  /// Checks the combination of fields. Returns the field at fault and the message; nullopt if there is none.
  std::function<std::optional<std::pair<std::string, std::string>>(const Domain&, const Arguments&)> complaint{};
  /// Words before the actual result: "the tightest pair has ".
  std::string found{};
  LargeProofs large_proofs{};
  /// e^level bounds the factor by which an output moves odds. Other levels are averages and divergences.
  bool bounds_odds = true;
  /// Its work does not end before the time limit by itself: claims about other notions are decided first.
  bool unbounded = false;
  /// The name of its claims in a new spec (`oddsbound new`), before the attribute; empty: there are none. Without a
  /// prior, claims by coordinate are about hidden attributes only.
  std::string in_new_specs{};
  /// A result says how far the prior may be wrong before a claim fails (verifier/notions/tolerance.h).
  bool tolerates = false;
  DrawnBeside drawn = DrawnBeside::kNothing;
  Locking locking{};
  /// Announces the questions that `decide` will ask of the columns, so that several claims share one pass.
  std::function<void(MeasuredModel&, const Arguments&)> expect{};
};

}  // namespace oddsbound::notions
