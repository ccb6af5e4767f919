// The signs of a polynomial over the whole range of its symbols, decided by Z3.
#pragma once

#include "verifier/exact/symbols.h"
#include "verifier/smt/options.h"

namespace oddsbound::smt {

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
