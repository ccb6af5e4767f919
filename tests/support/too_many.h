// An upper limit on the failures of a statistical test.
#pragma once

#include <cstdint>

#include "audits/confidence.h"

namespace oddsbound::testing {

/// Smallest c with tail_bound(n, c, alpha) <= 1e-6. At least c of n fail with at most that probability.
inline std::uint64_t too_many(std::uint64_t n, double alpha) {
  std::uint64_t count = 1;
  while (tail_bound(n, count, alpha) > 1e-6) ++count;
  return count;
}

}  // namespace oddsbound::testing
