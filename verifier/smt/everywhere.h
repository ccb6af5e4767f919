// One violation of a claim for all values of a symbol: the same event and the same two sides, wherever the symbol is in
// its range. Where there is one, the claim fails at every value.
#pragma once

#include <functional>
#include <optional>

#include "base/budget.h"
#include "verifier/exact/level.h"
#include "verifier/exact/symbols.h"
#include "verifier/model/definition.h"
#include "verifier/model/model.h"
#include "verifier/smt/solver.h"

namespace oddsbound::smt {

/// Whether a violation that was found at one value is one at all values of the symbol in its range, by the signs that
/// the ring decides. false: none was found, which says nothing.
///
/// ring: of one symbol, that of the model; at: a value of it. Throws LimitError where the model is too large for Z3,
/// and then `define` is not called.
bool uniform_violation(const Model& model, const std::function<Definition()>& define, const SymbolRing& ring,
                         const Number& at, const SmtOptions& options, Budget& budget);

// Bayes leakage as a question: how often is the best guess right?

/// Satisfiable if and only if, under the model's prior, the best guess at a coordinate (none: at the whole input) after
/// the output is right at most e^level times as often as without it; with `tight`, exactly so often. Throws LimitError
/// unless all numbers are rational, or where the model is too large.
Script guesses_script(const Model& model, std::optional<std::size_t> coordinate, const Level& level, bool tight,
                      Budget& budget);

// The signs of a polynomial over the whole range of its symbols, decided by Z3.

/// For SymbolRing: asks whether the polynomial is negative, zero or positive anywhere in the range. The time of the
/// options is for all questions together.
SymbolRing::Oracle sign_oracle(const SmtOptions& options);

/// A value of a symbol in the range and in [low, high], as simple as that allows. Rational.
Number simplest_value(const Symbol& symbol, const Number& low, const Number& high);

/// The values that a model gives the symbols, made simple: rationals in their ranges near the model's for which
/// `accepts` still holds. Empty if none were found.
std::vector<Number> simple_values(const SymbolRing& ring, const SolverAnswer& answer,
                                  const std::function<bool(const std::vector<Number>&)>& accepts);

/// "t = 3, p = 1/2"
std::string values_text(const SymbolRing& ring, const std::vector<Number>& values);

}  // namespace oddsbound::smt
