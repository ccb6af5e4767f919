// Work in a process of its own, which can be stopped from outside whatever it is doing, and whose memory is its own.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
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

// Other programs as child processes. The calling process may have threads, which may hold any lock at the moment of the
// fork: between it and the start of the program nothing is called that could wait for one (POSIX: "async-signal-safe").

struct Launch {
  std::vector<std::string> arguments;  // the first is the name that the program is told to have
  std::string path{};                  // of the program; empty: it is found in PATH by its name
  // Which descriptors become its standard ones; -1: those of this process.
  int input = -1;
  int output = -1;
  int errors = -1;
  std::string directory{};      // to run it in; empty: the present one
  std::uint64_t memory_mb = 0;  // of data that it may have
};

/// A program's path and arguments, allocated before the fork: the child must not allocate.
class PreparedLaunch {
 public:
  explicit PreparedLaunch(const Launch& what);
  PreparedLaunch(const PreparedLaunch&) = delete;
  PreparedLaunch& operator=(const PreparedLaunch&) = delete;
  /// Makes this process, which was just forked by `parent`, the program. Calls nothing that waits for a lock.
  [[noreturn]] void become(pid_t parent) const;

 private:
  Launch what_;
  std::string path_;
  std::vector<char*> arguments_;
};

/// Starts a program, which dies with the calling thread and leaves no core. One that cannot be run ends with status
/// 127, one whose directory is not there with 126, as a shell would have it. Throws std::runtime_error if no process
/// can be made.
pid_t launch(const Launch& what);

/// Limits this process, which was just forked: it dies with its parent's thread, leaves no core, has at most so many
/// bytes of data, and ignores SIGINT if the parent catches it. False if the parent is gone already. Calls nothing that
/// waits for a lock.
bool limit_child(pid_t parent, std::uint64_t data_bytes);

/// The path of a program, as a shell would find it; empty if it is not in PATH.
std::string program_path(const std::string& name);

// Pipes to other processes: waiting for what they write, and writing to those that may be gone.

/// Waits until something can be read, or all who wrote are gone: the events that poll(2) tells, 0 at the deadline.
short wait_to_read(int descriptor, std::chrono::steady_clock::time_point deadline);

/// write(2) without its signal: a program that no longer reads is an error (EPIPE), and not the end of this one,
/// whatever its host does with SIGPIPE.
ssize_t write_to_pipe(int descriptor, const char* bytes, std::size_t count);

}  // namespace oddsbound::base
