// How often a statistical test repeats itself: less where every step is instrumented.
#pragma once

namespace oddsbound::testing {

constexpr bool kInstrumented =
#if defined(ODDSBOUND_INSTRUMENTED)
    true;
#else
    false;
#endif

constexpr int effort(int full, int instrumented) { return kInstrumented ? instrumented : full; }

}  // namespace oddsbound::testing
