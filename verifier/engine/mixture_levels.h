// Levels between inputs of a mixture that keeps terms (model/mixture_channel.h). Its inputs are not enumerated.
//
// Terms see different coordinates. So for each output, the largest probability over all inputs is the sum of the terms'
// largest entries, and the smallest is the sum of their smallest ones. If two inputs differ in one coordinate, one term
// has two entries a >= b, and the other terms add the same R to both. The quotient (a + R) / (b + R) falls in R, so it
// is largest where every other term is smallest.
#pragma once

#include <vector>

#include "verifier/engine/measured_model.h"
#include "verifier/model/mixture_channel.h"

namespace oddsbound::engine {

/// Returns the level over all pairs of inputs. Throws LimitError past the budget.
InputLevel level_of_mixture(MeasuredModel& subject, const MixtureChannel& mixture);

/// Returns, for each of the coordinates, the level over all pairs of inputs that differ in that coordinate only. Throws
/// LimitError past the budget.
std::vector<InputLevel> levels_along_mixture(MeasuredModel& subject, const MixtureChannel& mixture,
                                             const std::vector<std::size_t>& coordinates);

}  // namespace oddsbound::engine
