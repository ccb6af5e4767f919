// Local differential privacy (BCDP paper, Definition 1), its Bayesian form BDP (Definition 2), and post-processing
// of another mechanism.
#pragma once

#include "verifier/engine/measured_model.h"
#include "verifier/model/model.h"
#include "verifier/notions/notion.h"

namespace oddsbound::notions {

/// Returns the exact LDP level: the least eps (in nats, stored as e^eps) with P(y given x) <= e^eps P(y given x')
/// for all inputs and outputs, with two inputs and an output that attain it.
///
/// Events of one output suffice: a quotient of sums is at most the largest quotient of terms. Independent factors
/// multiply, so a product is not enumerated. Throws LimitError past the budget.
const InputLevel& ldp_level(MeasuredModel& subject);

/// Returns the exact BDP level: the LDP level over the inputs of positive prior probability (Proposition 1:
/// conditional probabilities given events are mixtures of those given inputs).
///
/// Throws ModelError without a prior.
const InputLevel& bdp_level(MeasuredModel& subject);

Notion ldp_notion();
Notion bdp_notion();

// Post-processing: are this mechanism's outputs those of another one after a kernel (Blackwell, Sherman, Stein)?

Notion post_processing_notion();

}  // namespace oddsbound::notions
