// Waiting for what other processes write.
#pragma once

#include <chrono>

namespace oddsbound {

/// Waits until something can be read, or all who wrote are gone: the events that poll(2) tells, 0 at the deadline.
short wait_to_read(int descriptor, std::chrono::steady_clock::time_point deadline);

}  // namespace oddsbound
