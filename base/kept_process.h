// Runs a program and leaves no process behind. The destructor kills the program and all its descendants, including
// those that started their own session and those whose parents are gone.
//
// The parent of the program is a process that does nothing else, the keeper. Orphans among its descendants become
// children of the keeper (PR_SET_CHILD_SUBREAPER). Killing the keeper's children until none are left therefore
// reaches all of them. The calling process does not become a subreaper, because other code in it may have orphans
// of its own. If the calling process ends in any way, the kernel signals the keeper, which kills everything and
// ends too.
#pragma once

#include <optional>

#include "base/child.h"

namespace oddsbound::base {

class KeptProcess {
 public:
  /// Starts a program as `launch` does, in its own process group. Throws std::runtime_error.
  explicit KeptProcess(const Launch& what);
  KeptProcess(const KeptProcess&) = delete;
  KeptProcess& operator=(const KeptProcess&) = delete;
  /// Kills all that is left and returns when it is gone. Processes of another user cannot be killed and may stay.
  ~KeptProcess();

  /// Returns the program's status as waitpid(2) does, or nullopt if it is still running after `milliseconds`.
  std::optional<int> wait(int milliseconds);

 private:
  pid_t keeper_ = -1;
  int told_ = -1;  // read end of the pipe that delivers the status
  std::optional<int> status_;
};

}  // namespace oddsbound::base
