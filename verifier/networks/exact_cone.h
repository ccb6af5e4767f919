// Membership in a cone, exactly.
#pragma once

#include <optional>
#include <vector>

#include "base/budget.h"
#include "verifier/exact/interval.h"
#include "verifier/exact/number.h"

namespace oddsbound::networks {

/// Whether `vector` is a combination of the rays with weights that are not negative, where the rays are linearly
/// independent; false may also mean that they are not. All are of the same length; there is at least one ray.
bool is_combination(const std::vector<std::vector<Number>>& rays, const std::vector<Number>& vector, Budget& budget);

/// The same of rays of which no more is known than intervals. None where these cannot tell.
std::optional<bool> is_combination(const std::vector<std::vector<Interval>>& rays, const std::vector<Interval>& vector,
                                   Budget& budget);

}  // namespace oddsbound::networks
