// Bounded range (Durfee and Rogers, 2019).
#pragma once

#include "verifier/notions/notion.h"

namespace oddsbound::notions {

/// For all neighbors, the largest and the smallest loss over outputs differ by at most epsilon. Some losses are
/// positive and others negative, so epsilon-DP follows, and epsilon-DP implies a range of at most 2 epsilon.
///
/// A range is the largest loss in one direction plus the largest loss in the other, so the ranges of independent parts
/// add. Exact; cost: kinds of pairs of inputs of the parts, or pairs of inputs x outputs.
Notion bounded_range_notion();

}  // namespace oddsbound::notions
