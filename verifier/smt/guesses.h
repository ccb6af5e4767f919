// Bayes leakage as a question: how often is the best guess right?
#pragma once

#include <optional>

#include "base/budget.h"
#include "verifier/exact/level.h"
#include "verifier/model/model.h"
#include "verifier/smt/script.h"

namespace oddsbound::smt {

/// Satisfiable if and only if, under the model's prior, the best guess at a coordinate (none: at the whole input) after
/// the output is right at most e^level times as often as without it; with `tight`, exactly so often. Throws LimitError
/// unless all numbers are rational, or where the model is too large.
Script guesses_script(const Model& model, std::optional<std::size_t> coordinate, const Level& level, bool tight,
                      Budget& budget);

}  // namespace oddsbound::smt
