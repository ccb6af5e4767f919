// Why a ray is not needed (ray_hull.h), as it is written down for others.
#pragma once

#include <cstddef>
#include <vector>

namespace oddsbound::networks {

/// A ray that is left out, about as a combination of some that are kept, all of them of sum 1.
struct LeftOut {
  std::size_t ray = 0;
  std::vector<std::size_t> of;
  std::vector<double> weights;  // positive
};

}  // namespace oddsbound::networks
