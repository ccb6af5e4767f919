// A solver whose answers are outcomes of tasks (base/task.h): asked once, by the process that leads, and kept.
#pragma once

#include "base/budget.h"
#include "verifier/smt/solver.h"

namespace oddsbound::smt {

/// The same solver within the budget's scope; itself where there is none. What it did not know is asked again by a
/// later run. The budget outlives it.
Solver kept_solver(Solver solver, Budget& budget);

}  // namespace oddsbound::smt
