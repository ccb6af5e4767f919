// Levels of a channel whose parts share neither inputs nor outputs (Channel::cases), by cases: inputs of different
// parts are told apart by any output, inputs of one part have the level they have there, and equal parts are measured
// once.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "verifier/model/witness.h"
#include "verifier/search/subject.h"

namespace oddsbound {

/// The level over all pairs of inputs within a group, over all groups; none if the channel has no cases.
std::optional<InputLevel> level_by_cases(Subject& subject, std::span<const std::vector<std::uint64_t>> groups);

}  // namespace oddsbound
