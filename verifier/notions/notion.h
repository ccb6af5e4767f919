// A privacy notion: all that the project knows of it. What a claim about it carries, what it says by definition, how it
// is decided, how claims and findings about it are written, put into words, locked and drawn.
//
// A new notion is one file that defines a function returning a Notion, and one line in the table of all notions
// (table.cpp). Nothing outside that file knows it by name.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "verifier/model/arguments.h"
#include "verifier/model/definition.h"
#include "verifier/notions/claimed.h"
#include "verifier/notions/decision.h"
#include "verifier/ratios/measured_model.h"

namespace oddsbound::notions {

/// What the privacy lock keeps of a claim (results/lock.h).
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
  std::function<Definition(const Model&, const Arguments&, const LookedAt&)> define{};
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
