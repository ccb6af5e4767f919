// Work in a process of its own, which can be stopped from outside whatever it is doing, and whose memory is its own.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/namespaces.h"

namespace oddsbound::base {

struct ChildLimits {
  double seconds = 10;
  std::uint64_t memory_mb = 2048;  // of data, beyond what the calling process has
};

struct ChildResult {
  enum class End {
    kFinished,
    kDeadline,  // it was killed then
    kStopped,   // it was killed because a stop was asked for (Limits::stop)
    kOverflow,  // it wrote more than is collected
    kMemory,    // an allocation failed
    kFailed,    // it ended with another status than 0
    kKilled,    // a signal ended it
  };
  End end = End::kFailed;
  int code = 0;  // the status of kFailed, the signal of kKilled
  std::string output;
  double seconds = 0;

  /// "it ended with status 3", "it was killed: Segmentation fault", ...
  std::string how_it_ended() const;
};

/// With this status `work` says that an allocation failed, where that is not told by an exception.
constexpr int kStatusOfMemory = 125;

/// Runs `work` in a child process and collects what it writes to the descriptor that it is given. The child is killed
/// at the deadline, when the work that the thread does is asked to stop, and when the thread ends. Throws
/// std::runtime_error if no process can be made.
///
/// The child is a copy of this process with the calling thread alone: `work` must not need a lock that another thread
/// may hold (allocating memory is safe). Should it wait for one all the same, it is stopped at the deadline.
ChildResult run_in_child(const std::function<void(int output)>& work, const ChildLimits& limits);

/// The same for another program, found in PATH; what it writes to standard output is collected.
ChildResult run_program(const std::vector<std::string>& arguments, const ChildLimits& limits);

}  // namespace oddsbound::base
