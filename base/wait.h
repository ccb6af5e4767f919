// Pipes to other processes: waiting for what they write, and writing to those that may be gone.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>

#include "base/namespaces.h"

namespace oddsbound::base {

/// Waits until something can be read, or all who wrote are gone: the events that poll(2) tells, 0 at the deadline.
short wait_to_read(int descriptor, std::chrono::steady_clock::time_point deadline);

/// write(2) without its signal: a program that no longer reads is an error (EPIPE), and not the end of this one,
/// whatever its host does with SIGPIPE.
ssize_t write_to_pipe(int descriptor, const char* bytes, std::size_t count);

}  // namespace oddsbound::base
