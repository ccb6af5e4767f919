// Coordinates that a mechanism does not read: whoever draws an output may leave their values out.
//
// A coordinate is unread if neither the channel's rows nor the sampler's use of randomness depend on it. Both follow
// from how the mechanism is written, never from its numbers: a family and a matrix read all that they are given, so
// that no parameter changes which values inputs must have.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "verifier/model/domain.h"

namespace oddsbound::mechanisms {

/// A part of a mechanism: the coordinates it is given, and which of these (by their places here) it does not read.
struct ReadingPart {
  std::vector<std::size_t> coordinates;
  std::vector<std::size_t> unread;
};

/// Of the domain's coordinates, those that no part is given and reads.
std::vector<std::size_t> unread_by_all(const Domain& domain, std::span<const ReadingPart> parts);

}  // namespace oddsbound::mechanisms
