// Feedback of long runs: a progress line on standard error (only on a terminal, only after a second), and
// interruption by Ctrl-C or SIGTERM.
#pragma once

#include <condition_variable>
#include <csignal>
#include <cstddef>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "base/child.h"
#include "oddsbound/limits.h"

namespace oddsbound {

class Progress {
 public:
  /// Draws from its own thread, so that a single long file shows progress too.
  Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();
  /// Sets what is being done now. Thread-safe.
  void set(std::size_t begun, std::size_t total, const std::string& what);
  /// Returns a callback for library calls; valid while this object exists.
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

// Ctrl-C and SIGTERM: the first one asks the work to stop, so that known results can be written; a second one ends
// the program.

/// While it exists, the first SIGINT or SIGTERM requests a stop. A SIGINT that the program was started to ignore
/// stays ignored.
class Interrupt {
 public:
  Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();
  std::stop_token token() const { return stop_.get_token(); }
  /// Returns the context of a call that ends with the stop.
  Context within(Context context) const {
    context.limits.stop = token();
    return context;
  }

 private:
  void watch();

  std::stop_source stop_;
  std::optional<Pipe> pipe_;
  struct sigaction before_ {};
  struct sigaction before_end_ {};
  std::thread watcher_;
};

}  // namespace oddsbound
