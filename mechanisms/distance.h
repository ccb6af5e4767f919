// The expected total variation distance between estimated fractions and the distribution of the inputs, between proven
// bounds, before anything is collected; and the number of outputs that it takes.
//
// The error of an estimate from n outputs is S, the mean of n independent centred weights with variance v, third
// absolute moment r and fourth moment f. The distance is the sum of E|S| / 2, and
//
//     sqrt(2 v / (pi n)) - r / (v n)  <=  E|S|  <=  sqrt(2 v / (pi n)) + r / (v n)
//     sqrt(v / n) / sqrt(3 + f / (v^2 n))  <=  E|S|  <=  sqrt(v / n)
//
// The first line is the mean central limit theorem with the constant 1 (Goldstein 2010: the Wasserstein distance
// between S sqrt(n/v) and a normal variate is at most r / (v^(3/2) sqrt(n)), and |.| is 1-Lipschitz); the second
// Hoelder's inequality, E|S| >= (E S^2)^(3/2) / (E S^4)^(1/2), and Jensen's. E|S| does not increase with n, since the
// mean of n + 1 is the average of the means of n of them.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "mechanisms/marginals.h"

namespace oddsbound::mechanisms {

/// Moments of one output's error about one target, enclosed by doubles. All 0 if the estimate has no error.
struct ErrorMoments {
  double least_variance = 0, variance = 0;
  double third = 0;   // E|weight - mean|^3, rounded up
  double fourth = 0;  // rounded up
};

/// Bounds, rounded outward.
struct DistanceBounds {
  double at_least = 0, at_most = 0;
};

/// The moments of every target for inputs from the prior; nullopt if that takes too many operations. The estimator
/// must be one of fractions.
std::optional<std::vector<ErrorMoments>> error_moments(const Estimator& estimator, const Channel& channel,
                                                       const Prior& prior, Budget& budget);
std::optional<std::vector<ErrorMoments>> error_moments(const Marginal& marginal, const Domain& domain,
                                                       const Prior& prior, Budget& budget);

/// The expected distance from n >= 1 outputs.
DistanceBounds expected_distance(const std::vector<ErrorMoments>& moments, std::uint64_t n);

/// How many outputs an expected distance of at most `distance` > 0 takes: `enough` outputs suffice, `too_few` do not
/// (0: even one may be enough), and so the least number is between them.
struct OutputsFor {
  std::uint64_t too_few = 0, enough = 1;
};
/// Throws LimitError if more than 2^53 may be needed.
OutputsFor outputs_for(const std::vector<ErrorMoments>& moments, const Number& distance);

/// The sum of sqrt(square / n), rounded up: a published bound of this form on the expected distance from n >= 1
/// outputs.
double distance_by_bound(const std::vector<Number>& squares, std::uint64_t n);

/// The least n for which the sum of sqrt(square / n) is at most `distance`, rounded up: the number of outputs that a
/// published bound of this form asks for. Throws LimitError past 2^53.
std::uint64_t outputs_by_bound(const std::vector<Number>& squares, const Number& distance);

}  // namespace oddsbound::mechanisms
