// The resources one spec may use. Long loops call tick(); past a limit it throws a LimitError that names the flag.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace oddsbound {

struct Limits {
  std::uint64_t max_inputs = std::uint64_t{1} << 24;
  std::uint64_t max_cells = std::uint64_t{1} << 27;  // inputs x outputs that may be enumerated
  double max_seconds = 300;
  std::uint64_t max_memory_mb = 4096;
  std::uint64_t max_file_mb = 512;
  bool use_cases = true;  // false: enumerate columns even where a channel's structure allows a proof by cases
};

class Budget {
 public:
  explicit Budget(const Limits& limits = {})
      : limits_(limits), start_(std::chrono::steady_clock::now()), next_look_(start_) {}

  const Limits& limits() const { return limits_; }

  /// Cheap; looks at the clock now and then, at the memory in use every 50 ms. Throws LimitError.
  void tick() {
    if ((++ticks_ & 0xff) == 0) look();
  }
  /// Looks at once: for callers between expensive steps.
  void look();
  /// Of the time for the spec, at least 0.
  double seconds_left() const;
  /// Throws LimitError if inputs x outputs may not be enumerated.
  void require_cells(std::uint64_t inputs, std::uint64_t outputs) const;

 private:
  Limits limits_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point next_look_;
  std::uint32_t ticks_ = 0;
};

}  // namespace oddsbound
