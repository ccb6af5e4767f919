// Options of audits in tests: runs, seed and error probability.
#pragma once

#include "audits/measure.h"

namespace oddsbound::testing {

inline AuditOptions options_of(std::uint64_t samples, std::uint64_t seed, double alpha) {
  AuditOptions options;
  options.samples = samples;
  options.seed = seed;
  options.alpha = alpha;
  return options;
}

}  // namespace oddsbound::testing
