// Queries: a comparison of a claim's definition, as a question to a solver. A script is satisfiable where some event R
// and two sides violate the comparison.
#pragma once

#include <optional>
#include <vector>

#include "verifier/smt/solver.h"
#include "verifier/smt/sides.h"

namespace oddsbound::smt {

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

}  // namespace oddsbound::smt
