// Utility-optimized local differential privacy (Murakami and Kawamoto, 2019).
#pragma once

#include "verifier/notions/notion.h"

namespace oddsbound::notions {

/// Sensitive inputs are as indistinguishable as under `ldp`, while an output may reveal an input that is not sensitive.
/// For protected outputs y, P(y given x) <= e^eps P(y given x') for all inputs. Every other output is possible for one
/// input only, which is not sensitive.
///
/// The mechanism determines which outputs are protected: one that is possible for a sensitive input, or for several
/// inputs, must be, and any other one must not be if there is a second input. So the level is infinite if a claim names
/// other outputs. Outputs that no input has do not matter.
Notion utility_optimized_ldp_notion();

}  // namespace oddsbound::notions
