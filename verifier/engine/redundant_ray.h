// Why a ray is not needed (ray_hull.h), as certificates state it.
#pragma once

#include <cstddef>
#include <vector>

#include "base/namespaces.h"

namespace oddsbound::engine {

/// A ray that is left out because it is approximately a combination of kept rays; all rays are scaled to sum 1.
struct RedundantRay {
  std::size_t ray = 0;
  std::vector<std::size_t> of;
  std::vector<double> weights;  // positive
};

}  // namespace oddsbound::engine
