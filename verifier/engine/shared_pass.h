// A pass over the columns as a task (base/task.h). Its units are ranges of outputs, and the result of a unit is
// the outputs of the range that suffice. Every process then offers these to its own accumulators.
#pragma once

#include <string>

#include "verifier/engine/pass.h"

namespace oddsbound::engine {

/// Returns true if the budget has a scope (other processes, or a stored outcome) and the pass is long enough to be
/// shared.
bool is_worth_sharing(const Columns& columns, const Budget& budget);

/// Runs pass() over all outputs within the budget's scope. Every accumulator must implement sufficient_outputs().
/// `name` is the name of the task: it must identify the columns and the questions.
void shared_pass(const Columns& columns, const std::string& name, std::span<PassClient> riders, Budget& budget);

}  // namespace oddsbound::engine
