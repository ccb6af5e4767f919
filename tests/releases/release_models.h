// Releases of small tables, and their losses by definition.
#pragma once

#include "releases/release.h"
#include "verifier/model/model.h"

namespace oddsbound::testing {

/// Attributes a, b, ... with the given numbers of values.
Domain schema_of(const std::vector<std::size_t>& values);
std::shared_ptr<const releases::Release> release_of(const Domain& schema, std::vector<releases::StepPtr> steps);
/// The largest loss over tables of `people` people that differ in these attributes of one record.
Level level_of(const Model& model, const Domain& schema, std::size_t people, const releases::Attributes& changed);

}  // namespace oddsbound::testing
