// Probabilistic differential privacy.
#pragma once

#include "verifier/notions/notion.h"

namespace oddsbound::notions {

/// For all neighbors x, x': P(loss > epsilon) <= delta, where the output is drawn given x and the loss is
/// log(P(y given x) / P(y given x')). This is the one-sided form of Meiser (2018) and of Kasiviswanathan and Smith
/// (2014); every ordered pair of neighbors is compared. It implies (epsilon, delta)-DP. A function of the output may
/// have a larger delta.
///
/// Exact. For products with many outputs from the losses of the parts. No pair of inputs is left out for being
/// dominated by another: a pair with larger hockey-stick divergences may have a smaller tail.
Notion probabilistic_dp_notion();

}  // namespace oddsbound::notions
