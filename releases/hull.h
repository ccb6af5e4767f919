// The nearest point of the convex hull of finitely many 0/1 points: what answers to counting questions may be.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace oddsbound::releases {

struct HullPoint {
  std::vector<double> coordinates;
  /// The points that it is a mixture of, by their numbers, and their weights.
  std::vector<std::pair<std::uint32_t, double>> mixture;
  /// Its squared distance from the nearest point is at most twice this.
  double gap = 0;
};

/// members: by coordinate, which of so many points have a 1 there. In doubles, of public numbers: no privacy depends
/// on it. (Wolfe 1976: the nearest point in a polytope.)
HullPoint nearest_in_hull(const std::vector<std::vector<std::uint32_t>>& members, std::size_t points,
                          std::span<const double> target);

}  // namespace oddsbound::releases
