#include "verifier/ratios/proven_bound.h"

#include <algorithm>
#include <cmath>

namespace oddsbound::ratios {

// The decimal is above the double's logarithm by more than it may be wrong.
Level level_above(double ratio) {
  if (!std::isfinite(ratio)) return Level::infinite();
  constexpr double kUnits = 1e6;  // of a nat
  const double nats = std::log(std::max(ratio, 1.0));
  const auto units = static_cast<std::int64_t>(std::ceil(nats * kUnits * (1 + 1e-12) + 1e-3));
  return Level::of_exponential(Number::exp_of(Number::ratio(units, static_cast<std::int64_t>(kUnits))));
}

Level largest_loss(const SeenFactor& factor) {
  Number largest(1);
  for (const std::vector<Number>& column : factor.entries) {
    const auto [least, most] = std::minmax_element(column.begin(), column.end());
    if (least->is_zero()) return Level::infinite();
    largest = std::max(largest, *most / *least);
  }
  return Level::of_exponential(largest);
}

Level largest_loss(const SeenRows& seen) {
  Level sum = Level::of_exponential(Number(1));
  for (const SeenFactor& factor : seen.factors) sum = sum + largest_loss(factor);
  return sum;
}

}  // namespace oddsbound::ratios
