// How many failures are too many.
#pragma once

#include <cstdint>

#include "audits/confidence.h"

namespace oddsbound::testing {

/// The number of failures of n that occur with probability below 1e-6 if each has probability alpha.
inline std::uint64_t too_many(std::uint64_t n, double alpha) {
  std::uint64_t count = 1;
  while (tail_bound(n, count, alpha) > 1e-6) ++count;
  return count;
}

}  // namespace oddsbound::testing
