// The lift of a value by an output: P(a given y) / P(a) = P(y given a) / P(y). Its logarithm, in the worst case over
// values and outputs, is the pointwise maximal leakage. Everyone is one side of the comparison.
#pragma once

#include "verifier/notions/notion.h"

namespace oddsbound::notions {

Notion pointwise_maximal_leakage_notion();
Notion lower_lift_notion();
/// Both.
Notion local_information_privacy_notion();
/// The largest probability of the given values of a coordinate or secret after an output: their prior probability
/// times the upper lift of the event that the value is one of them.
Notion posterior_notion();

}  // namespace oddsbound::notions
