// Levels that are sums of logarithms, such as information and divergences of an order: exact if they are a level that
// can be written, otherwise between two decimals.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "verifier/exact/level.h"
#include "verifier/notions/notion.h"

namespace oddsbound::notions {

/// Returns the level in nats that a decimal states.
Level rounded_level(const std::string& decimal);

/// Returns a sum that is not 0 between decimals of this many digits. Throws LimitError past the thread's budget.
MeasuredLevel rounded_outward(std::span<const WeightedLog> sum, int digits);
/// The number of digits that are tried first.
inline constexpr int kFirstDigits = 17;

/// True if the bounds of a level do not tell whether a claim holds, or whether it is tight.
bool leaves_open(const MeasuredLevel& level, const Level& claimed);

/// Returns the sum with as many digits as decide the claim. differs: the sum is known to be another number than the
/// claimed level. Otherwise the digits are limited, and the reason says so.
MeasuredLevel refined_outward(std::span<const WeightedLog> sum, const Level& claimed, bool differs);

}  // namespace oddsbound::notions
