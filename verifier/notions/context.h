// Context-aware local differential privacy and its two structured forms (context-aware paper, Definitions 2 to 4);
// the Bayesian privacy of a secret.
#pragma once

#include <optional>

#include "verifier/notions/notion.h"

namespace oddsbound::notions {

/// Returns the exact loss and the bound of the pair of inputs whose loss exceeds its own bound most (largest quotient
/// of the exponentials); nullopt if no pair is constrained. bounds: inputs x inputs, [from][to]; infinite bounds and
/// the diagonal constrain nothing. Throws LimitError past the budget.
std::optional<LevelAndBound> context_level(MeasuredModel& subject, const LevelMatrix& bounds);

/// Returns the comparison of each sensitive input with every other input.
Definition define_high_low(const Model& model, const Arguments& arguments, const InputSubset& inputs);

Notion context_ldp_notion();
Notion block_ldp_notion();
Notion high_low_ldp_notion();

// Secrets: the Bayesian privacy of any function of the input.

Notion secret_notion();

}  // namespace oddsbound::notions
