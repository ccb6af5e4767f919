// What collected outputs say about the inputs: unbiased estimates, exact, with how sure they are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/estimate_result.h"
#include "specs/collected.h"
#include "specs/spec.h"

namespace oddsbound::runs {

/// The coordinates of each estimate that is asked for. None: the shares of the inputs, if these are few enough and can
/// be told; else those of all coordinates that can be told, together if that are few, or one by one.
using Marginals = std::vector<std::vector<std::size_t>>;

/// Throws ModelError if there is no unbiased estimator of what is asked for, or of anything.
EstimateResult estimate(const Spec& spec, const CollectedOutputs& collected, Budget& budget,
                        const Marginals& marginals = {});

/// What `outputs` outputs will be worth, before any is collected: no estimates, only the error to expect.
EstimateResult plan(const Spec& spec, std::uint64_t outputs, Budget& budget, const Marginals& marginals = {});

/// Of continuous outputs: their averages, rounded.
EstimateResult estimate(const Spec& spec, const CollectedVectors& collected);

}  // namespace oddsbound::runs
