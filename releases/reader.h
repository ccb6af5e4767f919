// What a step of a release is read from: a reader for each type.
#pragma once

#include "releases/step.h"
#include "specs/spec.h"

namespace oddsbound::releases {

inline constexpr std::int64_t kMostWindow = 1'000'000'000;

/// "name", "attributes", and "epsilon" or "rho" for any of them, or for "each".
releases::CostPart read_cost(const Fields& fields, const Domain& schema, ReadingContext& context);

/// "concept": "point", "distribution", "threshold" or "halfspace".
releases::StepPtr read_learn_step(JsonView value, const Domain& schema, ReadingContext& context);

using StepReader = releases::StepPtr (*)(JsonView value, const Domain& schema, ReadingContext& context);
/// By type of step.
const std::vector<std::pair<std::string, StepReader>>& step_readers();

}  // namespace oddsbound::releases
