// Bayesian coordinate differential privacy (BCDP paper, Definition 4).
#pragma once

#include <vector>

#include "verifier/engine/group_levels.h"
#include "verifier/notions/notion.h"

namespace oddsbound::notions {

/// Returns, for every coordinate, the exact BCDP level: the least d (in nats, stored as e^d) with P(y given x_i =
/// a) <= e^d P(y given x_i = b) for all outputs y and all values a, b of positive prior mass, with a witness.
///
/// Single values and outputs suffice: probabilities given an event are mixtures of those given values. If outputs
/// are searched and the time runs out, a level is unfinished: bounds with a reason. Throws ModelError without a
/// prior, LimitError past the budget.
const std::vector<GroupLevel>& bcdp_levels(MeasuredModel& subject);
std::vector<MeasuredLevel> measured_bcdp(MeasuredModel& subject);

/// Returns the BCDP levels, in order, of all coordinates outside `known` for an adversary who knows these: the
/// largest over all combinations of known values.
std::vector<MeasuredLevel> bcdp_given(MeasuredModel& subject, const std::vector<std::size_t>& known);

/// Announces the question of the BCDP levels to the columns, if it has one: the next pass answers it.
void expect_bcdp(MeasuredModel& subject);

Notion bcdp_notion();

}  // namespace oddsbound::notions
