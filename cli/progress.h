// One line on standard error that tells how far a long run is; only on a terminal, only after a second.
#pragma once

#include <condition_variable>
#include <csignal>
#include <cstddef>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace oddsbound {

class Progress {
 public:
  /// Draws from a thread of its own, so that a single long file shows too.
  Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();
  /// What is being done now; from any thread.
  void set(std::size_t begun, std::size_t total, const std::string& what);
  /// Set by a call of the library, while this exists.
  auto shown() {
    return [this](std::size_t begun, std::size_t total, const std::string& what) { set(begun, total, what); };
  }

 private:
  void draw();

  std::mutex mutex_;
  std::condition_variable ended_changed_;
  bool ended_ = false;
  std::size_t begun_ = 0;
  std::size_t total_ = 0;
  std::string what_;
  std::thread drawer_;
};

// Ctrl-C, or SIGTERM: the first asks the work to stop, so that what is known can be written; a second one ends the
// program.

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
