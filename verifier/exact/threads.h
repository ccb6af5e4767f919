// Threads that compute with Numbers.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "base/budget.h"
#include "base/task.h"
#include "verifier/exact/number.h"

namespace oddsbound::exact {

/// As many threads as the limits say, or as there are cores.
std::size_t wanted_threads(const Limits& limits);

/// work(i, thread, budget) for i = 0, ..., count - 1, which are begun in this order, by at most so many threads. The
/// calling one is thread 0; it begins the others after a while, so that what is done at once costs no threads. Others
/// have budgets of their own, within the time of `budget`. If several throw, the error of the smallest i is thrown;
/// then some later i may not have been begun.
void by_threads(std::size_t threads, std::uint64_t count, Budget& budget,
                const std::function<void(std::uint64_t, std::size_t, Budget&)>& work);

/// FLINT keeps caches per thread; a thread that computes with Numbers frees its own before it ends.
class NumberThread {
 public:
  NumberThread() = default;
  NumberThread(const NumberThread&) = delete;
  NumberThread& operator=(const NumberThread&) = delete;
  ~NumberThread();
};

// Tasks (base/task.h) of whoever computes with Numbers.

/// The outcome of a task: within the budget's scope, or without one by the calling thread alone.
Bytes run_task(const std::string& name, const Unit& unit, const TaskBody& lead, Budget& budget);

/// A name that stands for a question however long it is.
std::string task_name(const std::string& kind, const Bytes& question);

void pack(BinaryWriter& packer, const Number& number);
Number unpack_number(BinaryReader& unpacker);

}  // namespace oddsbound::exact
