// Bayesian coordinate differential privacy (BCDP paper, Definition 4).
#pragma once

#include <vector>

#include "verifier/notions/notion.h"
#include "verifier/notions/value_levels.h"

namespace oddsbound::notions {

/// For every coordinate, the exact BCDP level: the least d with P(y given x_i = a) <= e^d P(y given x_i = b) for all
/// outputs and all values a, b of positive prior mass.
///
/// Single values and outputs suffice: given an event, probabilities are mixtures of those given values.
/// Returns nats (as exponentials) and witnesses, in coordinate order; where outputs are searched and the time is over,
/// what is known of a level by then. Throws ModelError without a prior, LimitError past the budget.
const std::vector<ValueLevel>& bcdp_levels(MeasuredModel& subject);
std::vector<MeasuredLevel> measured_bcdp(MeasuredModel& subject);

/// The same, in their order, for all other coordinates, and for who knows these: the largest over all that may be
/// known.
std::vector<MeasuredLevel> bcdp_given(MeasuredModel& subject, const std::vector<std::size_t>& known);

/// Announces what the BCDP levels ask of the columns, if anything: the next pass over them takes it along.
void expect_bcdp(MeasuredModel& subject);

Notion bcdp_notion();

}  // namespace oddsbound::notions
