// Per-attribute partial differential privacy (partial-DP paper, Definitions 4 and 5).
#pragma once

#include "verifier/notions/notion.h"

namespace oddsbound::notions {

/// A claim allows two inputs that differ within one record the sum of the levels of the coordinates that differ.
///
/// Losses obey the triangle inequality along the path that changes one coordinate at a time, which stays within the
/// record, so this holds exactly if each single change obeys its own level (Lemma 7): partial_dp is decided by the CDP
/// levels. Records restrict which inputs are compared, and any of them admits all changes of a single coordinate.
Notion partial_dp_notion();

}  // namespace oddsbound::notions
