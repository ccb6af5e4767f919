// Context-aware local differential privacy and its two structured forms (context-aware paper, Definitions 2 to 4).
#pragma once

#include <optional>

#include "verifier/notions/notion.h"

namespace oddsbound::notions {

/// The pair of inputs whose loss exceeds its own bound most (by the quotient of exponentials).
struct ContextLevel {
  InputLevel level;  // the pair's exact loss
  Level bound;       // what was allowed for it
};

/// bounds: inputs x inputs, [from][to]; infinite bounds constrain nothing, nor does the diagonal. Empty if nothing is
/// constrained. Throws LimitError past the budget.
std::optional<ContextLevel> context_level(MeasuredModel& subject, const LevelMatrix& bounds);

/// The largest loss between two inputs of the same block. Throws LimitError past the budget.
InputLevel block_level(MeasuredModel& subject, const InputGroups& blocks);

/// The largest loss from a sensitive input to any input. Throws LimitError past the budget.
InputLevel high_low_level(MeasuredModel& subject, const Inputs& sensitive);

Notion context_ldp_notion();
Notion block_ldp_notion();
Notion high_low_ldp_notion();

// The Bayesian privacy of any function of the input.

Notion secret_notion();

}  // namespace oddsbound::notions
