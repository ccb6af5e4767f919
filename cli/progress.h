// One line on standard error that tells how far a long run is; only on a terminal, only after a second.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
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

}  // namespace oddsbound
