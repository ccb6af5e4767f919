// A privacy notion: what a claim about it carries, what it says by definition, and how it is decided.
//
// A new notion is one file that defines a function returning a Notion, and one line in the table of all notions
// (verifier/notions.cpp); the spec reader, the queries to Z3, the reports and the command line take it from there.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "verifier/measures/tradeoff.h"
#include "verifier/model/arguments.h"
#include "verifier/model/definition.h"
#include "verifier/model/witness.h"
#include "verifier/search/subject.h"

namespace oddsbound {

struct CoordinateLevel {
  std::string coordinate;
  MeasuredLevel measured;
};
struct Delta {
  Number delta;
  Witness witness;
};

/// What was claimed, as text in the grammar: one level, levels by coordinate, a matrix, or epsilon and delta.
using Claimed =
    std::variant<std::string, std::vector<std::pair<std::string, std::string>>, std::vector<std::vector<std::string>>>;
/// Whether a channel is a post-processing of another one, and what shows it.
struct Refinement {
  bool holds = false;
  std::vector<std::vector<Number>> kernel;  // if it holds: [output of the other][output]
  std::vector<std::vector<Number>> gain;    // if not: [input][output], what naming an output is worth
  Number value;                             // sum over x, z of gain[x][z] P(z given x)
  Number best;  // sum over outputs y of the other of max over z of sum over x of gain * P(y given x)
};

/// What is true: one level (none where nothing is constrained), levels by coordinate, a delta, or a refinement.
using Actual = std::variant<std::monostate, MeasuredLevel, std::vector<CoordinateLevel>, Delta, Refinement>;

struct Decision {
  bool holds = false;
  Actual actual;
  std::optional<Witness> witness;    // of a claim that does not hold
  bool tight = false;                // no smaller level (or delta) holds
  bool by_cases = false;             // some level followed from parts of the channel (cases.h)
  std::optional<Tradeoff> tradeoff;  // where asked for, and not part of the analysis anyway
};

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

struct Notion {
  std::string name;
  std::string summary;
  std::string source;
  bool needs_prior;
  std::vector<Field> fields;
  std::function<Decision(Subject&, const Arguments&)> decide;
  /// The claim by its bare definition, where that compares probabilities.
  std::function<Definition(const Model&, const Arguments&)> define;
  /// Else a question in SMT-LIB 2, with the given comments, that is satisfiable if and only if the claim holds.
  std::function<std::string(const Model&, const Arguments&, const std::vector<std::string>&)> question{};
  Locking locking{};
  /// Announces what `decide` will ask of the columns, if anything, so that several claims share one pass.
  std::function<void(Subject&, const Arguments&)> expect{};
};

/// A matrix of bounds as text, row after row.
std::vector<std::vector<std::string>> matrix_text(const LevelMatrix& matrix, std::uint64_t inputs);

/// What a claim says, from its fields.
Claimed claimed_of(const Domain& domain, const Arguments& arguments);

/// One measured level against one claimed level.
Decision decide_level(const MeasuredLevel& actual, const Level& claimed);
/// Levels of all coordinates against those claimed; the witness is that of the first coordinate that fails.
Decision decide_coordinates(const Domain& domain, const std::vector<MeasuredLevel>& actual,
                            const CoordinateLevels& claimed);

}  // namespace oddsbound
