// One violation of a claim for all values of a symbol: the same event and the same two sides, wherever the symbol is in
// its range. Where there is one, the claim fails at every value.
#pragma once

#include <functional>

#include "base/budget.h"
#include "verifier/exact/symbols.h"
#include "verifier/model/definition.h"
#include "verifier/smt/options.h"

namespace oddsbound::smt {

/// Whether a violation that was found at one value is one at all values of the symbol in its range, by the signs that
/// the ring decides. false: none was found, which says nothing.
///
/// ring: of one symbol, that of the model; at: a value of it. Throws LimitError where the model is too large for Z3,
/// and then `define` is not called.
bool violated_everywhere(const Model& model, const std::function<Definition()>& define, const SymbolRing& ring,
                         const Number& at, const SmtOptions& options, Budget& budget);

}  // namespace oddsbound::smt
