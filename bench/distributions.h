// Distributions over symbols in doubles, for experiments with estimates of them.
#pragma once

#include <vector>

namespace oddsbound::bench {

using Distribution = std::vector<double>;

Distribution normalised(Distribution weights);
/// Index of the outcome for u in [0, 1]; steps: partial sums of the probabilities.
std::size_t place_in(const Distribution& steps, double u);
/// The nearest distribution (Euclidean): shifted, and cut at 0.
Distribution projected(const Distribution& estimate);
/// Total variation distance.
double distance(const Distribution& a, const Distribution& b);

}  // namespace oddsbound::bench
