// Why a ray is not needed (ray_hull.h), as it is written down for others.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "base/budget.h"
#include "verifier/exact/interval.h"
#include "verifier/exact/number.h"

namespace oddsbound::engine {

/// A ray that is left out, about as a combination of some that are kept, all of them of sum 1.
struct RedundantRay {
  std::size_t ray = 0;
  std::vector<std::size_t> of;
  std::vector<double> weights;  // positive
};

// Which of several rays (non-negative vectors up to a factor) are needed to make up all the others: those at the edges
// of the cone that they span.
//
// Doubles say where each ray stands. That one is left out is proven: it is a non-negative combination of rays that are
// kept, shown by doubles with a bound of their error, by intervals where these cannot tell, and by exact numbers where
// neither can. A ray of which neither is shown is kept, which costs time and nothing else.

struct RayCloud {
  std::size_t states = 0;       // entries of each ray
  std::vector<double> entries;  // ray after ray, each of sum 1
  double error = 0;             // each entry may be off by that part of itself; 0 is 0
  // The entries of a ray, up to a factor that all of them share.
  std::function<std::vector<Number>(std::size_t)> exact;
  std::function<std::vector<Interval>(std::size_t)> enclosed;

  std::size_t size() const { return states == 0 ? 0 : entries.size() / states; }
  const double* ray(std::size_t r) const { return &entries[r * states]; }
};

struct NeededRays {
  std::vector<std::size_t> rays;
  double slack = 0;  // every entry of a ray that is not among them is within exp(+-slack) of some combination's
  std::vector<RedundantRay> left_out{};  // where that is asked for: all others
};

/// At most so many: where more are needed, rays are left out that are nearly combinations of others, and `slack` says
/// how nearly. least_slack: what it is worth to begin with where it cannot be 0. recorded: says of all that are left
/// out of what they are made, and leaves out none of which doubles do not show that; least_slack is above 0 then.
/// Throws LimitError where that does not help, and past the budget.
NeededRays needed_rays(const RayCloud& cloud, std::size_t most, double least_slack, Budget& budget,
                       bool recorded = false);

/// Some of the rays.
RayCloud some_of(const RayCloud& cloud, std::span<const std::size_t> rays);

/// The rays that may have the largest ratio between two entries, for any two of them. Where no doubles tell, all.
std::vector<std::size_t> leading_rays(const RayCloud& cloud, Budget& budget);

/// The rays that stand out most in single entries, at most two for each: no proof of anything.
std::vector<std::size_t> outstanding_rays(const RayCloud& cloud);

}  // namespace oddsbound::engine
