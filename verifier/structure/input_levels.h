// Levels between inputs, by the cheapest way there is: by cases, or by a pass over the columns.
//
// If the parts of a channel share neither inputs nor outputs (Channel::cases), inputs of different parts are told apart
// by any output, inputs of one part have the level they have there, and equal parts are measured once.
#pragma once

#include <span>
#include <vector>

#include "verifier/model/witness.h"
#include "verifier/ratios/column_scan.h"

namespace oddsbound::structure {

/// True if levels between inputs of a model that is not taken apart are found by a pass over its columns: neither by
/// cases, nor by pairs of rows.
bool decided_by_columns(const MeasuredModel& subject);

/// The level over all pairs of inputs of the same group. Groups must not be empty.
InputLevel level_within(MeasuredModel& subject, const WithinGroups& question);

/// The level over all pairs (x, x') with x in `from`, which is not empty, and x' any input.
InputLevel level_from(MeasuredModel& subject, const FromInputs& question);

/// The level over all pairs of inputs.
InputLevel level_over_all(MeasuredModel& subject);

/// For each of the coordinates, the level over all pairs of inputs that differ in that coordinate only.
std::vector<InputLevel> levels_along(MeasuredModel& subject, const AlongCoordinates& question);

}  // namespace oddsbound::structure
