// What a step of a release is read from: a reader for each type.
#pragma once

#include "mechanisms/releases/step.h"
#include "specs/spec_parts.h"

namespace oddsbound::specs {

inline constexpr std::int64_t kMostWindow = 1'000'000'000;

/// In order, each once.
mechanisms::Attributes read_attributes(JsonView value, const Domain& schema);
/// true, or not there.
bool read_flag(const Fields& fields, const char* name);
/// A positive rational number.
Number read_positive(JsonView value, const std::string& what, ReadingContext& context);
/// "name", "attributes", and "epsilon" or "rho" for any of them, or for "each".
mechanisms::CostPart read_cost(const Fields& fields, const Domain& schema, ReadingContext& context);

/// "concept": "point", "distribution", "threshold" or "halfspace".
mechanisms::StepPtr read_learn_step(JsonView value, const Domain& schema, ReadingContext& context);

using StepReader = mechanisms::StepPtr (*)(JsonView value, const Domain& schema, ReadingContext& context);
/// By type of step.
const std::vector<std::pair<std::string, StepReader>>& step_readers();

}  // namespace oddsbound::specs
