// Independent, non-adaptive runs of mechanisms on the same input, as one product mechanism.
#pragma once

#include <span>

#include "base/budget.h"
#include "reports/composition.h"
#include "specs/spec.h"

namespace oddsbound::app {

/// Measures all runs together: epsilon at delta, delta at epsilon, rho, and the curve. A quantity that a limit leaves
/// undecided states the limit. Throws ModelError or SpecError if the mechanisms cannot be composed.
ComposedResult compose(std::span<const Spec> specs, const ComposeOptions& options, Budget& budget);

}  // namespace oddsbound::app
