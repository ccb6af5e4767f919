// A pass over the columns as a task (base/task.h): ranges of outputs are its units, and what comes back of each are the
// outputs that tell as much as all of them. Every process offers these to its own accumulator.
#pragma once

#include <string>

#include "verifier/engine/pass.h"

namespace oddsbound::engine {

/// Whether there are others to share with, or an outcome is kept, and the pass takes long enough to be worth it.
bool is_worth_sharing(const Columns& columns, const Budget& budget);

/// pass() over all outputs for accumulators that can say which outputs tell as much as all (`telling`), within the
/// budget's scope. The name is that of the task: it says which columns these are, and what is asked of them.
void shared_pass(const Columns& columns, const std::string& name, std::span<PassClient> riders, Budget& budget);

}  // namespace oddsbound::engine
