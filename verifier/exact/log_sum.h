// Sums of multiples of logarithms, as entropies are.
#pragma once

#include <optional>
#include <vector>

#include "verifier/exact/level.h"

namespace oddsbound::exact {

/// A multiple of a logarithm of a positive number.
struct WeightedLog {
  Number weight;
  Number argument;
};

/// The same sum with every argument once, and without terms that are 0. Empty means that the sum is 0.
std::vector<WeightedLog> collected(std::vector<WeightedLog> sum);

/// Whether all weights and arguments are rational.
bool is_rational(const std::vector<WeightedLog>& sum);

/// The level that a sum of rational multiples of logarithms of rationals is, where it is one: exp of the sum is in K.
/// None where it is not (or the sum is negative): then it differs from every level.
///
/// Numerators and denominators are split into integers that have no factor in common. Logarithms of such are linearly
/// independent over the rationals, so that exp(sum) is a rational if and only if each integer, to the power that it
/// comes to, is one. Throws LimitError past the budget of the thread, or where the level is too long to be written.
std::optional<Level> level_of_sum(const std::vector<WeightedLog>& sum);

}  // namespace oddsbound::exact
