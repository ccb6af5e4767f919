// How often a statistical test repeats itself: less where every step is instrumented, and some of them only in full
// where ODDSBOUND_FULL_VOLUME is set (scripts/nightly.sh).
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

/// For tests of volume alone, whose everyday number shows the same with less certainty.
inline int effort(int full, int everyday, int instrumented) {
  static const bool all = std::getenv("ODDSBOUND_FULL_VOLUME") != nullptr;
  return effort(all ? full : everyday, instrumented);
}

}  // namespace oddsbound::testing
