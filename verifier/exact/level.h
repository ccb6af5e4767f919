// Sums of weighted logarithms, such as entropies, and the test whether such a sum is a level (oddsbound/level.h).
#pragma once

#include <optional>
#include <vector>

#include "oddsbound/level.h"
#include "verifier/exact/number.h"
#include "verifier/exact/surd.h"

namespace oddsbound::exact {

/// weight * log(argument), argument > 0.
struct WeightedLog {
  Number weight;
  Number argument;
};

/// Returns the same sum with each argument once and without zero terms. An empty result means that the sum is 0.
std::vector<WeightedLog> collected(std::vector<WeightedLog> sum);

/// True if all weights and arguments are rational.
bool is_rational(const std::vector<WeightedLog>& sum);

/// Returns the level that equals a sum of rational multiples of logarithms of rationals, if exp(sum) is rational
/// and >= 1. Otherwise nullopt: the sum differs from every level.
///
/// Factors numerators and denominators over a coprime base (factor refinement). The logarithms of the base are
/// linearly independent over the rationals, so exp(sum) is rational if and only if each base element to its total
/// exponent is rational. Full factorization into primes is not needed. Throws LimitError past the thread's budget,
/// or if the level is too long to be written.
std::optional<Level> level_of_sum(const std::vector<WeightedLog>& sum);

}  // namespace oddsbound::exact
