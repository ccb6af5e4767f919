// Which of several rays (non-negative vectors up to a factor) are needed: the extreme rays of the cone that they
// span.
//
// Doubles propose where each ray lies (Lawson and Hanson's non-negative least squares). A ray is left out only
// with a proof: it is a non-negative combination of kept rays, shown by doubles with an error bound, otherwise by
// intervals, otherwise by exact numbers. A ray without such a proof is kept, which costs time and nothing else.
// With a slack, rays that are nearly combinations are left out too.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "base/budget.h"
#include "base/namespaces.h"
#include "verifier/exact/interval.h"
#include "verifier/exact/number.h"

namespace oddsbound::engine {

/// A ray that is left out because it is approximately a combination of kept rays; all rays are scaled to sum 1.
struct RedundantRay {
  std::size_t ray = 0;
  std::vector<std::size_t> of;
  std::vector<double> weights;  // positive
};

struct RayCloud {
  std::size_t states = 0;       // entries per ray
  std::vector<double> entries;  // ray after ray, each with sum 1
  double error = 0;             // relative error of each entry; a 0 is exact
  // Return the entries of a ray, up to a common factor.
  std::function<std::vector<Number>(std::size_t)> exact;
  std::function<std::vector<Interval>(std::size_t)> enclosed;

  std::size_t size() const { return states == 0 ? 0 : entries.size() / states; }
  const double* ray(std::size_t r) const { return &entries[r * states]; }
};

struct NeededRays {
  std::vector<std::size_t> rays;
  double slack = 0;                      // left-out entries are within exp(+-slack) of those of some combination
  std::vector<RedundantRay> left_out{};  // if recorded: all other rays
};

/// Returns at most `most` rays. If more are needed, also leaves out rays that are nearly combinations of others;
/// NeededRays::slack bounds the error. least_slack: the first slack to try; 0 tries an exact reduction first.
/// recorded: reports of every left-out ray how it is combined, and leaves out only rays for which doubles show it;
/// requires least_slack > 0. Throws LimitError if the largest slack does not suffice, or if the budget is
/// exceeded.
NeededRays needed_rays(const RayCloud& cloud, std::size_t most, double least_slack, Budget& budget,
                       bool recorded = false);

/// Returns a cloud of the given rays.
RayCloud some_of(const RayCloud& cloud, std::span<const std::size_t> rays);

/// Returns the rays that may have the largest ratio of some two entries; all rays if doubles cannot tell.
std::vector<std::size_t> leading_rays(const RayCloud& cloud, Budget& budget);

/// Returns the rays that are extreme in single entries, at most two per entry. Proves nothing.
std::vector<std::size_t> outstanding_rays(const RayCloud& cloud);

}  // namespace oddsbound::engine
