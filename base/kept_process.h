// A program that leaves nothing behind: when it is no longer wanted, it and all its descendants are killed, those that
// started a session of their own too, and those whose parents are gone.
//
// Its parent is a process that does nothing else, the keeper. Orphans among its descendants become children of the
// keeper (PR_SET_CHILD_SUBREAPER), so what is left are the children of the keeper, and theirs once these are killed.
// The calling process is no subreaper itself: it may be somebody's, with orphans that are none of our business. If it
// ends, however it does, the keeper is told by a signal and ends all the same.
#pragma once

#include <optional>

#include "base/launch.h"

namespace oddsbound::base {

class KeptProcess {
 public:
  /// Starts a program as `launch` does, as the leader of a process group. Throws std::runtime_error.
  explicit KeptProcess(const Launch& what);
  KeptProcess(const KeptProcess&) = delete;
  KeptProcess& operator=(const KeptProcess&) = delete;
  /// Kills whatever is left, and returns when it is gone. What cannot be killed (it runs as another user) may stay.
  ~KeptProcess();

  /// How the program ended, as waitpid(2) tells it; nothing if it does not within so many milliseconds.
  std::optional<int> wait(int milliseconds);

 private:
  pid_t keeper_ = -1;
  int told_ = -1;  // the end of a pipe that the status comes from
  std::optional<int> status_;
};

}  // namespace oddsbound::base
