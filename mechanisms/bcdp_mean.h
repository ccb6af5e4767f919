// Errors of the averages of Mechanism 1 of the BCDP paper, in floating point: for the choice of public parameters
// and for experiments. No level depends on them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace oddsbound::mechanisms {

/// Returns the weights with which Mechanism 1 averages the answers of its steps about the coordinate at `position`
/// of the order: w_k for k = 1 to position + 1. They sum to 1, or are all 0 if every such step has level 0.
std::vector<double> bcdp_weights(std::span<const double> steps, std::size_t position);

/// The variance of one step's answer about one of the coordinates that it sees, for inputs in {-1, 1}^coordinates;
/// requires level > 0.
using StepVariance = double (*)(std::size_t coordinates, double level);

/// Returns the mean squared error of one answer, summed over the coordinates. Steps draw independently, so the
/// error of a coordinate is the sum over k of (w_k / W)^2 times the variance of step k, where W is the sum of the
/// w_k. Infinite if no step sees some coordinate at a level above 0.
double bcdp_error(std::span<const double> steps, StepVariance variance);

/// The terms of that sum: the error of one answer about the coordinate at each position of the order.
std::vector<double> bcdp_errors(std::span<const double> steps, StepVariance variance);

/// r^2 of Theorem 3, n times the sum in (17): the error of one answer up to a constant factor, says the paper. Summed
/// over the positions i of the order, 1 / (w_1 + ... + w_i).
double bcdp_printed_error(std::span<const double> steps);

/// At least the error of one answer, for all inputs in the cube, both mechanisms and all levels: the variance of a step
/// is at most 8 (d-k+1) / min(level, 1)^2. For levels of at most 1 this is 8 times bcdp_printed_error.
///
/// Signs: with c = coth(level/2) and b = 2^(m-1) / (m-1 choose (m-1)/2) for odd m, the gain is b c; for even m, with b
/// = 2^m / (m choose m/2), it is b c - 1. By Wallis' product b^2 is at most pi m / 2, for even m pi (m+1) / 2, and
/// level c is at most 2 + level^2 / 6. So (level gain)^2 / m is at most 7.38 for odd m. For even m the bound on
/// level gain is convex in the level, and at its ends 0 and 1 its square is at most 8 m. Ball: the length divided by
/// the root of m is at most c sqrt(pi m / 2), by Gamma(m/2 + 1) / Gamma((m+1)/2) >= sqrt(m/2 + 1/4). The variances
/// decrease with the level.
double bcdp_error_bound(std::span<const double> steps);

/// For sign vectors (duchi.h).
double hypercube_variance(std::size_t coordinates, double level);
/// For the ball around the cube (BallDraw in duchi.h): B^2 / m - 1, since an answer of length B and its mirror
/// image are equally long. For other inputs in the cube the error is larger, by an amount that depends on the
/// levels only through the weights.
double ball_variance(std::size_t coordinates, double level);
/// The largest one over all inputs in the cube: that at the origin.
double ball_variance_inside(std::size_t coordinates, double level);

}  // namespace oddsbound::mechanisms
