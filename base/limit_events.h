// How often this process ran out of time or memory, or was stopped: a result that any of these shaped may differ the
// next time.
#pragma once

#include <cstdint>

#include "base/namespaces.h"

namespace oddsbound::base {

/// Returns the number of times so far, over all threads, that a budget ended work for time, memory or a stop.
std::uint64_t limit_events();

}  // namespace oddsbound::base
