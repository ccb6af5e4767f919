// Threads that compute with Numbers.
#pragma once

#include <cstddef>
#include <functional>

#include "base/budget.h"

namespace oddsbound {

/// As many threads as the limits say, or as there are cores.
std::size_t wanted_threads(const Limits& limits);

/// work(i, budget) for i = 0, ..., count - 1, by at most so many threads, of which the calling one is the first.
/// Helpers have budgets of their own, within the time of `budget`. If several throw, the error of the smallest i is
/// thrown; then some later i may not have been begun.
void by_threads(std::size_t threads, std::size_t count, Budget& budget,
                const std::function<void(std::size_t, Budget&)>& work);

/// FLINT keeps caches per thread; a thread that computes with Numbers frees its own before it ends.
class NumberThread {
 public:
  NumberThread() = default;
  NumberThread(const NumberThread&) = delete;
  NumberThread& operator=(const NumberThread&) = delete;
  ~NumberThread();
};

}  // namespace oddsbound
