// Coordinates that a mechanism does not read: whoever draws an output may leave their values out.
//
// A coordinate is unread if neither the channel's rows nor the sampler's use of randomness depend on it. Both follow
// from how the mechanism is made, never from its levels: a family reads all that it is given, whatever its parameters.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/budget.h"
#include "verifier/model/channel.h"
#include "verifier/model/domain.h"

namespace oddsbound::mechanisms {

/// A part of a mechanism: the coordinates it is given, and which of these (by their places here) it does not read.
struct ReadingPart {
  std::vector<std::size_t> coordinates;
  std::vector<std::size_t> unread;
};

/// Of the domain's coordinates, those that no part is given and reads.
std::vector<std::size_t> unread_by_all(const Domain& domain, std::span<const ReadingPart> parts);

/// Of a mechanism that draws from its channel's rows: the coordinates such that inputs that differ in nothing else have
/// the same row.
std::vector<std::size_t> unread_by_rows(const Domain& domain, const Channel& channel, Budget& budget);

}  // namespace oddsbound::mechanisms
