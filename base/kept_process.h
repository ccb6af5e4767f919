// Runs a program and leaves no process behind. In the end the program and all its descendants are killed, including
// those that started their own session and those whose parents are gone.
//
// Its parent is a process that does nothing else, the keeper. Orphans among its descendants become children of the
// keeper (PR_SET_CHILD_SUBREAPER), so what is left are the children of the keeper, and theirs once these are killed.
// The calling process does not become a subreaper: other code in it may have orphans of its own. If the calling process
// ends in any way, the kernel signals the keeper, which kills everything and ends too.
#pragma once

#include <optional>

#include "base/child.h"

namespace oddsbound::base {

class KeptProcess {
 public:
  /// Starts a program as `launch` does, as the leader of a process group. Throws std::runtime_error.
  explicit KeptProcess(const Launch& what);
  KeptProcess(const KeptProcess&) = delete;
  KeptProcess& operator=(const KeptProcess&) = delete;
  /// Kills whatever is left, and returns when it is gone. What cannot be killed (it runs as another user) may stay.
  ~KeptProcess();

  /// The program's status as waitpid(2) returns it, or nothing if it is still running after `milliseconds`.
  std::optional<int> wait(int milliseconds);

 private:
  pid_t keeper_ = -1;
  int told_ = -1;  // the end of a pipe that the status comes from
  std::optional<int> status_;
};

}  // namespace oddsbound::base
