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

/// For sign vectors (duchi.h).
double hypercube_variance(std::size_t coordinates, double level);
/// For the ball around the cube (BallDraw in duchi.h): B^2 / m - 1, since an answer of length B and its mirror
/// image are equally long. For other inputs in the cube the error is larger, by an amount that depends on the
/// levels only through the weights.
double ball_variance(std::size_t coordinates, double level);

}  // namespace oddsbound::mechanisms
