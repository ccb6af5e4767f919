// Ctrl-C, or SIGTERM: the first asks the work to stop, so that what is known can be written; a second one ends the
// program.
#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace oddsbound {

/// While it exists, SIGINT or SIGTERM asks for a stop, once each. (If the program was started to ignore it, that stays
/// so.)
class Interrupt {
 public:
  Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();
  std::stop_token token() const { return stop_.get_token(); }

 private:
  void watch();

  std::stop_source stop_;
  int pipe_[2] = {-1, -1};  // from the signal handler, which may do nothing more, to the thread that asks for the stop
  struct sigaction before_ {};
  struct sigaction before_end_ {};
  std::thread watcher_;
};

}  // namespace oddsbound
