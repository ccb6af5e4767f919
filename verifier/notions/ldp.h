// Local differential privacy (BCDP paper, Definition 1), and its Bayesian form BDP (Definition 2).
#pragma once

#include "verifier/engine/measured_model.h"
#include "verifier/model/model.h"
#include "verifier/notions/notion.h"

namespace oddsbound::notions {

/// The exact LDP level: the least eps with P(y given x) <= e^eps P(y given x') for all inputs and outputs.
///
/// Events of one output suffice: a quotient of sums is at most the largest quotient of terms. Independent factors
/// multiply, so a product is not enumerated. Returns nats (as an exponential) and two inputs with an output.
/// Throws LimitError past the budget.
const InputLevel& ldp_level(MeasuredModel& subject);

/// The exact BDP level: the LDP level over the inputs of positive prior probability (Proposition 1: conditional
/// probabilities given events are mixtures of those given inputs).
///
/// Throws ModelError without a prior.
const InputLevel& bdp_level(MeasuredModel& subject);

/// Announces what the levels ask of the columns, if anything: the next pass over them takes it along.
void expect_ldp(MeasuredModel& subject);
void expect_bdp(MeasuredModel& subject);

Notion ldp_notion();
Notion bdp_notion();

// Post-processing: is the mechanism another one whose outputs were changed afterwards (Blackwell, Sherman, Stein)?

Notion post_processing_notion();

}  // namespace oddsbound::notions
