// What collected outputs say about the inputs: unbiased estimates, exact, with how sure they are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/estimate_result.h"
#include "specs/collected.h"
#include "specs/spec.h"

namespace oddsbound::runs {

/// Throws ModelError if no unbiased estimator exists.
EstimateResult estimate(const Spec& spec, const CollectedOutputs& collected, Budget& budget);

/// What `outputs` outputs will be worth, before any is collected: no estimates, only the error to expect.
EstimateResult plan(const Spec& spec, std::uint64_t outputs, Budget& budget);

/// Of continuous outputs: their averages, rounded.
EstimateResult estimate(const Spec& spec, const CollectedVectors& collected);

}  // namespace oddsbound::runs
