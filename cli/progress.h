// One line on standard error that tells how far a long run is; only on a terminal, only after a second.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace oddsbound {

class Progress {
 public:
  Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();
  void show(std::size_t done, std::size_t total, const std::string& what);

 private:
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace oddsbound
