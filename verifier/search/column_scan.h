// Levels between inputs by one scan over the columns of an enumerated channel.
//
// For a fixed output the worst pair in a group of inputs is its largest entry against its smallest, so a scan of
// extremes replaces a scan of pairs.
#pragma once

#include <span>
#include <vector>

#include "verifier/model/witness.h"
#include "verifier/search/subject.h"

namespace oddsbound {

/// The level over all pairs of the given inputs, for each of the groups. Groups must not be empty, and each must have
/// an input with an output of positive probability (true of every channel).
InputLevel level_within_groups(Subject& subject, std::span<const std::vector<std::uint64_t>> groups);

/// The level over all pairs (x, x') with x in `from` and x' any input.
InputLevel level_from(Subject& subject, const std::vector<std::uint64_t>& from);

/// The level over all pairs of inputs.
InputLevel level_over_all(Subject& subject);

/// For each of the coordinates, the level over all pairs of inputs that differ in that coordinate only.
std::vector<InputLevel> level_along(Subject& subject, std::span<const std::size_t> coordinates);

}  // namespace oddsbound
