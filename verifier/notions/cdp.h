// Coordinate differential privacy (BCDP paper, Definition 3) and per-attribute partial DP, which the CDP levels
// decide.
#pragma once

#include <vector>

#include "verifier/engine/measured_model.h"
#include "verifier/model/model.h"
#include "verifier/notions/notion.h"

namespace oddsbound::notions {

/// Returns, for every coordinate, the exact CDP level: the least c (in nats, stored as e^c) with P(y given x) <=
/// e^c P(y given x') for all outputs y and all inputs x, x' of the domain that differ in that coordinate only,
/// with a witness.
///
/// Throws LimitError past the budget.
const std::vector<InputLevel>& cdp_levels(MeasuredModel& subject);
std::vector<MeasuredLevel> measured_cdp(MeasuredModel& subject);

/// Announces the question of the CDP levels to the columns, if it has one: the next pass answers it.
void expect_cdp(MeasuredModel& subject);

Notion cdp_notion();

// Per-attribute partial differential privacy (partial-DP paper, Definitions 4 and 5).

/// A claim allows two inputs that differ within one record the sum of the levels of the coordinates that differ.
///
/// Losses obey the triangle inequality along the path that changes one coordinate at a time, and this path stays
/// within the record. So the claim holds if and only if each single change obeys its own level (Lemma 7), and the
/// CDP levels decide it. Records restrict which inputs are compared, but every record admits all changes of a
/// single coordinate.
Notion partial_dp_notion();

}  // namespace oddsbound::notions
