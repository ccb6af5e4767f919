// Number of repetitions of a statistical test: fewer in instrumented builds; some tests run in full only if
// ODDSBOUND_FULL_VOLUME is set (scripts/nightly.sh).
#pragma once

#include <cstdlib>

namespace oddsbound::testing {

constexpr bool kInstrumented =
#if defined(ODDSBOUND_INSTRUMENTED)
    true;
#else
    false;
#endif

constexpr int effort(int full, int instrumented) { return kInstrumented ? instrumented : full; }

/// For volume tests: the everyday number shows the same with less certainty.
inline int effort(int full, int everyday, int instrumented) {
  static const bool all = std::getenv("ODDSBOUND_FULL_VOLUME") != nullptr;
  return effort(all ? full : everyday, instrumented);
}

}  // namespace oddsbound::testing
