// Levels between inputs: over all pairs of inputs, over those that the prior holds possible, along coordinates, and
// within groups. The driver takes a model apart (decompose.h) and then picks the cheapest way:
// - the losses of pairs of rows, from the factors of a product (factor_losses.h);
// - disjoint parts (Channel::disjoint_parts), which share neither inputs nor outputs: any output separates inputs of
//   different parts (infinite level). Inputs of one part have the level they have there. Equal parts are measured
//   once;
// - the terms of a mixture (mixture_levels.h), for questions about all inputs;
// - a pass over the columns (column_scan.h), which other questions may share.
//
// All functions throw LimitError past the budget.
#pragma once

#include <vector>

#include "verifier/engine/column_scan.h"
#include "verifier/engine/measured_model.h"
#include "verifier/model/model.h"

namespace oddsbound::engine {

/// Returns the level over all pairs of inputs. The subject remembers it as that of "ldp".
const InputLevel& level_among_all(MeasuredModel& subject);

/// Returns the level over all pairs of inputs of positive mass. Throws ModelError without a prior.
InputLevel level_among_possible(MeasuredModel& subject);

/// Returns, for each of the coordinates, the level over all pairs of inputs that differ in that coordinate only.
/// Witnesses may be computed at access: those of all coordinates together would take quadratic memory.
std::vector<InputLevel> levels_along(MeasuredModel& subject, const std::vector<std::size_t>& coordinates);

/// Returns the level among inputs in groups. It does not take the model apart.
InputLevel level_among(MeasuredModel& subject, const AmongInputs& question);

/// Announce the questions that these functions will ask of the columns, if any: the next pass answers them.
void expect_among_all(MeasuredModel& subject);
void expect_among_possible(MeasuredModel& subject);
void expect_along(MeasuredModel& subject, const std::vector<std::size_t>& coordinates);
void expect_among(MeasuredModel& subject, const AmongInputs& question);

}  // namespace oddsbound::engine
