// How far off the averages of Mechanism 1 of the BCDP paper are, in floating point: for choices of public parameters
// and for experiments; no level depends on it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace oddsbound::mechanisms {

/// How Mechanism 1 averages what its steps (by their levels) say about the coordinate at a position of the order:
/// weights w_k, k = 1 to position + 1, which sum to 1; all zero if no step says anything about it.
std::vector<double> bcdp_weights(std::span<const double> steps, std::size_t position);

/// The variance of what one step says about one of the coordinates that it sees, for inputs in {-1, 1}^coordinates;
/// level > 0.
using StepVariance = double (*)(std::size_t coordinates, double level);

/// The mean squared error of one answer, summed over the coordinates: step k draws apart from all others, so the sum
/// over k of (w_k / W)^2 times its variance. Infinite if no step says anything about some coordinate.
double bcdp_error(std::span<const double> steps, StepVariance variance);

/// On vectors of signs (duchi.h).
double hypercube_variance(std::size_t coordinates, double level);
/// On the ball that the cube just fits in (ball.h): B^2 / m - 1, for an answer of length B and its mirror image are
/// equally long. For other inputs in the cube the error is larger by what does not depend on levels but through the
/// weights.
double ball_variance(std::size_t coordinates, double level);

}  // namespace oddsbound::mechanisms
