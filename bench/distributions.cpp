#include "bench/distributions.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace oddsbound::bench {

Distribution normalised(Distribution weights) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= total;
  return weights;
}

std::size_t place_in(const Distribution& steps, double u) {
  const auto place = static_cast<std::size_t>(std::upper_bound(steps.begin(), steps.end(), u) - steps.begin());
  return std::min(place, steps.size() - 1);
}

Distribution projected(const Distribution& estimate) {
  Distribution sorted = estimate;
  std::sort(sorted.rbegin(), sorted.rend());
  double sum = 0;
  double shift = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    sum += sorted[i];
    const double candidate = (sum - 1) / static_cast<double>(i + 1);
    if (sorted[i] > candidate) shift = candidate;
  }
  Distribution result;
  for (const double value : estimate) result.push_back(std::max(0.0, value - shift));
  return result;
}

double distance(const Distribution& a, const Distribution& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / 2;
}

}  // namespace oddsbound::bench
