// Queries: one comparison of a claim's definition as a script that is satisfiable if and only if some event R and
// two sides violate the comparison.
#pragma once

#include <optional>
#include <vector>

#include "verifier/smt/sides.h"
#include "verifier/smt/solver.h"

namespace oddsbound::smt {

struct Query {
  Script script;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> cases;  // numbers of the sides, if the query lists cases
  std::vector<std::vector<std::string>> sets;                  // variables of the unknown sets of labels, and of R

  bool enclosed = false;  // some numbers are only enclosed: more bits may refute a model

  /// Restricts the sets to one member each: if there is a counterexample among these, it is found sooner.
  void restrict_to_single();
  Violation violation(const Model& model, const Comparison& comparison, const SolverAnswer& answer) const;
};

/// Encodes the comparison by its definition. bits: the precision of the bounds of exp.
Query encode(const Model& model, const Comparison& comparison, const Sides& sides, const SymbolRing* ring,
             unsigned bits);

/// Encodes a consequence of a violation, in rational numbers only: the left side is rounded up, the right side
/// down. nullopt if all numbers are rational anyway, or if a mass is not rational (as with symbols).
std::optional<Query> encode_rounded(const Model& model, const Comparison& comparison, const Sides& sides,
                                    unsigned bits);

/// Returns a script for values of the symbols at which the level is above 0 and no single output of these pairs
/// attains it: a smaller level then holds. For levels only, not for a delta.
Script encode_slack(const Comparison& comparison, const Sides& sides, const SymbolRing* ring,
                    const std::vector<std::pair<std::uint64_t, std::uint64_t>>& pairs);

}  // namespace oddsbound::smt
