// The nearest point of the convex hull of finitely many 0/1 points: the consistent answers to counting queries.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace oddsbound::releases {

struct HullPoint {
  std::vector<double> coordinates;
  /// The points that it is a mixture of, by number, with their weights.
  std::vector<std::pair<std::uint32_t, double>> mixture;
  /// The squared distance from the exact nearest point is at most twice this.
  double gap = 0;
};

/// Returns the nearest point to the target (Wolfe 1976: the nearest point in a polytope). members: by coordinate,
/// the points that have a 1 there. In doubles, from public numbers: no privacy depends on it.
HullPoint nearest_in_hull(const std::vector<std::vector<std::uint32_t>>& members, std::size_t points,
                          std::span<const double> target);

}  // namespace oddsbound::releases
