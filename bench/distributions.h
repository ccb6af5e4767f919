// Distributions over symbols, as experiments with estimates of them need them: in doubles.
#pragma once

#include <vector>

namespace oddsbound::bench {

using Distribution = std::vector<double>;

Distribution normalised(Distribution weights);
/// The place that a number of 0..1 belongs to; steps: partial sums of the probabilities.
std::size_t place_in(const Distribution& steps, double u);
/// The nearest distribution (Euclidean): shifted and cut at zero.
Distribution projected(const Distribution& estimate);
/// Total variation.
double distance(const Distribution& a, const Distribution& b);

}  // namespace oddsbound::bench
