// Other programs as child processes. The calling process may have threads, which may hold any lock at the moment of the
// fork: between it and the start of the program nothing is called that could wait for one (POSIX: "async-signal-safe").
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/namespaces.h"

namespace oddsbound::base {

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

}  // namespace oddsbound::base
