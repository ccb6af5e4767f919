// FLINT keeps caches per thread; a thread that computes with Numbers frees its own before it ends.
#pragma once

namespace oddsbound {

class NumberThread {
 public:
  NumberThread() = default;
  NumberThread(const NumberThread&) = delete;
  NumberThread& operator=(const NumberThread&) = delete;
  ~NumberThread();
};

}  // namespace oddsbound
