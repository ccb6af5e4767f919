// Levels of pairs of inputs: a matrix, a level per unit of a distance, the smaller of two inputs' levels, or a table.
#pragma once

#include "specs/reading.h"
#include "verifier/model/definition.h"
#include "verifier/model/distance.h"

namespace oddsbound::specs {

/// Reads "metric" and "of" of an object. Values of the coordinates are numbers, unless inputs count by their
/// coordinates.
Distance read_distance(const Fields& fields, const Domain& domain);

/// Returns a LevelMatrix, or PairLevels if the levels are a function or have square roots. Throws SpecError.
FieldValue read_pair_levels(JsonView value, const Domain& domain, ReadingContext& context);

}  // namespace oddsbound::specs
