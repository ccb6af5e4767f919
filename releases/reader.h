// Readers of the steps of a release, one per type.
#pragma once

#include "releases/step.h"
#include "specs/spec.h"

namespace oddsbound::releases {

inline constexpr std::int64_t kMostWindow = 1'000'000'000;

/// Reads "name", "attributes", and "epsilon" or "rho" for a change of any of these, or with "each" per attribute.
CostPart read_cost(const Fields& fields, const Domain& schema, ReadingContext& context);

/// Reads a step by its "concept": "point", "distribution", "threshold" or "halfspace".
StepPtr read_learn_step(JsonView value, const Domain& schema, ReadingContext& context);

using StepReader = StepPtr (*)(JsonView value, const Domain& schema, ReadingContext& context);
/// The readers by type of step.
const std::vector<std::pair<std::string, StepReader>>& step_readers();

}  // namespace oddsbound::releases
