// Child processes with their own memory, which can be killed from outside whatever they do: functions of this
// program (run_in_child) and other programs (run_program, launch). Also pipes to other processes.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/namespaces.h"

namespace oddsbound {

struct ChildLimits {
  double seconds = 10;
  std::uint64_t memory_mb = 2048;  // of data, beyond that of the calling process
};

}  // namespace oddsbound

namespace oddsbound::base {

struct ChildResult {
  enum class End {
    kFinished,
    kDeadline,  // killed at the deadline
    kStopped,   // killed because a stop was requested (Limits::stop)
    kOverflow,  // it wrote more than 64 MB
    kMemory,    // an allocation failed
    kFailed,    // a nonzero exit status
    kKilled,    // a signal ended it
  };
  End end = End::kFailed;
  int code = 0;  // the status of kFailed, the signal of kKilled
  std::string output;
  double seconds = 0;

  /// Returns a phrase such as "it ended with status 3" or "it was killed: Segmentation fault".
  std::string how_it_ended() const;
};

/// Exit status by which `work` reports a failed allocation that is not a std::bad_alloc.
constexpr int kStatusOfMemory = 125;

/// Runs `work` in a child process and collects what it writes to the descriptor that it is given. The child is
/// killed at the deadline, when the current budget's stop is requested, and when the calling thread ends. Throws
/// std::runtime_error if no process can be created.
///
/// The child is a copy of this process with the calling thread alone. `work` must not need a lock that another
/// thread may hold (allocating memory is safe); if it waits for one all the same, it is killed at the deadline.
ChildResult run_in_child(const std::function<void(int output)>& work, const ChildLimits& limits);

/// The same for another program, found in PATH: collects its standard output.
ChildResult run_program(const std::vector<std::string>& arguments, const ChildLimits& limits);

// Other programs as child processes. The calling process may have threads, and these may hold any lock at the
// fork. Between fork and exec only async-signal-safe functions (POSIX) are called.

struct Launch {
  std::vector<std::string> arguments;  // the first is argv[0], the name passed to the program
  std::string path{};                  // of the program; empty: found in PATH by its name
  // Descriptors that become its standard ones; -1: those of this process.
  int input = -1;
  int output = -1;
  int errors = -1;
  std::string directory{};      // working directory; empty: the present one
  std::uint64_t memory_mb = 0;  // limit on its data
};

/// A program's path and arguments, allocated before the fork: the child must not allocate.
class PreparedLaunch {
 public:
  explicit PreparedLaunch(const Launch& what);
  PreparedLaunch(const PreparedLaunch&) = delete;
  PreparedLaunch& operator=(const PreparedLaunch&) = delete;
  /// Turns this process, just forked by `parent`, into the program. Calls nothing that waits for a lock.
  [[noreturn]] void become(pid_t parent) const;

 private:
  Launch what_;
  std::string path_;
  std::vector<char*> arguments_;
};

/// Starts a program, which dies with the calling thread and leaves no core dump. As in a shell, its status is 127
/// if it cannot be run and 126 if its directory does not exist. Throws std::runtime_error if no process can be
/// created.
pid_t launch(const Launch& what);

/// Limits this process, which was just forked: it dies with its parent's thread, dumps no core, has at most
/// `data_bytes` bytes of data, and ignores SIGINT if the parent catches it. Returns false if the parent is already
/// gone. Calls nothing that waits for a lock.
bool limit_child(pid_t parent, std::uint64_t data_bytes);

/// Returns the path of a program, as a shell finds it; empty if it is not in PATH.
std::string program_path(const std::string& name);

// Pipes to other processes, which may end at any time.

/// Waits until there is something to read or every writer is gone. Returns the events of poll(2), or 0 at the
/// deadline.
short wait_to_read(int descriptor, std::chrono::steady_clock::time_point deadline);

/// Both ends of a pipe that programs started by this process do not inherit. Closes those that are still open.
struct Pipe {
  int read_end = -1;
  int write_end = -1;

  /// Throws std::runtime_error.
  Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe();

  void close_read_end();
  void close_write_end();
  /// Hands an end to the caller, who closes it.
  int take_read_end() { return std::exchange(read_end, -1); }
  int take_write_end() { return std::exchange(write_end, -1); }
};

/// Calls write(2) without SIGPIPE: if nobody reads any more, it fails with EPIPE, whatever the host does with
/// SIGPIPE.
ssize_t write_to_pipe(int descriptor, const char* bytes, std::size_t count);

}  // namespace oddsbound::base
