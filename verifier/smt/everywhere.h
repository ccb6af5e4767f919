// Queries over the whole range of the symbols: violations that hold at every value of a symbol, and signs of
// polynomials. A uniform violation is one event and two sides that violate the claim wherever the symbol is in its
// range; the claim then fails at every value.
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

/// Returns whether a violation found at one value of the symbol is a violation at all values in its range, by the
/// signs that the ring decides. False means only that none was found.
///
/// ring: with one symbol, that of the model. at: a value of it. Throws LimitError if the model is too large for
/// Z3; `define` is then not called.
bool uniform_violation(const Model& model, const std::function<Definition()>& define, const SymbolRing& ring,
                       const Number& at, const SmtOptions& options, Budget& budget);

// Signs of a polynomial over the whole range of its symbols, decided by Z3.

/// Returns an oracle for SymbolRing: is the polynomial negative, zero or positive anywhere in the range? All
/// questions share the time of the options.
SymbolRing::Oracle sign_oracle(const SmtOptions& options);

/// Returns the simplest rational in [low, high] and the range of a symbol, or the end of the range that is nearest
/// to the interval.
Number simplest_value(const Symbol& symbol, const Number& low, const Number& high);

/// Returns simple rational values of the symbols near those of a model, in their ranges, for which `accepts`
/// holds. Empty if none were found.
std::vector<Number> simple_values(const SymbolRing& ring, const SolverAnswer& answer,
                                  const std::function<bool(const std::vector<Number>&)>& accepts);

/// Returns a text like "t = 3, p = 1/2".
std::string values_text(const SymbolRing& ring, const std::vector<Number>& values);

}  // namespace oddsbound::smt
