// Levels that are known exactly, but are too long to write.
#pragma once

#include <optional>

#include "verifier/notions/notion.h"

namespace oddsbound::notions {

/// Returns the decision with decimals on both sides in place of every long level, without its witness. Returns nullopt
/// if no level is long, or if the decimals do not give the same answers about the claim: the verdict never rests on
/// them.
std::optional<Decision> with_enclosed_levels(const Decision& decision, const Claimed& claimed);

}  // namespace oddsbound::notions
