// The probability of outputs with a large lift: the (epsilon, delta) form of pointwise maximal leakage.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "verifier/engine/measured_model.h"
#include "verifier/model/definition.h"
#include "verifier/notions/notion.h"

namespace oddsbound::notions {

/// Returns P(Y in R) for the event R of all outputs y with P(y given s) > e^epsilon P(y) for some label s that has
/// mass. R is the smallest set of outputs outside of which no lift exceeds e^epsilon, so this is the smallest delta.
/// labels: called only if the labels can be listed. coordinate: the one whose values they are. by_inputs: every input
/// is a label. Both sides of the witness are everyone.
///
/// Exact where outputs can be enumerated, and for products of few inputs with few different likelihoods. Otherwise
/// between two bounds, from the largest lift that largest_lift finds. Throws LimitError past the budget.
MeasuredNumber lift_tail(MeasuredModel& subject, const std::function<Partition()>& labels,
                         std::optional<std::size_t> coordinate, bool by_inputs, const Level& epsilon,
                         const std::function<GroupLevel()>& largest_lift);

/// Announces the pass over the outputs.
void expect_lift_tail(MeasuredModel& subject, const Partition& labels, const Level& epsilon);

}  // namespace oddsbound::notions
