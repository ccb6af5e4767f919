// Queries: a comparison of a claim's definition, as a question to a solver. A script is satisfiable where some event R
// and two sides violate the comparison.
#pragma once

#include <compare>
#include <optional>
#include <vector>

#include "verifier/privacy/definition.h"
#include "verifier/smt/script.h"
#include "verifier/smt/solver.h"

namespace oddsbound {

/// A model as what a comparison is about: for each side P(y given side) times its mass. The mass of an input is 1.
struct Sides {
  std::vector<std::vector<Number>> joint;  // [side][output]
  std::vector<Number> mass;
};

/// P(y given x) for all inputs and outputs. Throws LimitError past the budget.
std::vector<std::vector<Number>> rows_of(const Channel& channel, Budget& budget);
/// The sides of a comparison: all inputs, or its labels under the prior.
Sides sides_of(const Model& model, const Comparison& comparison, const std::vector<std::vector<Number>>& rows);

/// What refutes a comparison: an event, and the sides (sets of labels, or one input each).
struct Violation {
  std::vector<std::uint64_t> event;
  std::vector<std::uint64_t> from;
  std::vector<std::uint64_t> to;
};

/// How P(R, from) mass(to) - delta compares with e^level P(R, to) mass(from): greater is a violation. Numbers are taken
/// at the given values of the symbols, if any.
std::strong_ordering weigh(const Comparison& comparison, const Sides& sides, const Violation& violation,
                           const std::vector<Number>& values);

struct Query {
  Script script;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> cases;  // sides by number, where the query lists cases
  std::vector<std::vector<std::string>> sets;                  // the variables of unknown sets of labels, and of R

  bool enclosed = false;  // numbers stand for themselves within bounds: more bits may refute what was found

  /// Adds that the sets have one member each: a counterexample is found sooner among these, if there is one.
  void restrict_to_single();
  Violation violation(const Model& model, const Comparison& comparison, const SolverAnswer& answer) const;
};

/// The comparison by its definition. bits: how close the bounds of exp are.
Query encode(const Model& model, const Comparison& comparison, const Sides& sides, const SymbolRing* ring,
             unsigned bits);

/// Something that follows from a violation, with rational numbers only: what stands on the left of the comparison is
/// rounded up, what stands on the right down. None if the numbers depend on symbols, are rational anyway, or the masses
/// are not rational.
std::optional<Query> encode_rounded(const Model& model, const Comparison& comparison, const Sides& sides,
                                    unsigned bits);

/// Asks for values of the symbols where the level is above 0 and no single output of these pairs of sides attains it,
/// so that a smaller one holds. For levels, not for a delta.
Script encode_slack(const Comparison& comparison, const Sides& sides, const SymbolRing* ring,
                    const std::vector<std::pair<std::uint64_t, std::uint64_t>>& pairs);

/// Whether the pair attains the level (or delta) of a comparison at these values of the symbols. A level of 0 always
/// is.
bool attains(const Comparison& comparison, const Sides& sides, std::uint64_t from, std::uint64_t to,
             const std::vector<Number>& values);

/// The ordered pairs of sides that a comparison is about: its pairs of inputs, or any two labels of positive mass.
std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs_of(const Comparison& comparison, const Sides& sides);

}  // namespace oddsbound
