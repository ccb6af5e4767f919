// Threads and tasks that compute with Numbers: a parallel loop, the FLINT cleanup per thread, and entry points to
// tasks (base/task.h).
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "base/budget.h"
#include "base/task.h"
#include "verifier/exact/number.h"

namespace oddsbound::exact {

/// Returns the thread count of the limits, or the number of cores if that is 0.
std::size_t wanted_threads(const Limits& limits);

/// When a loop starts its other threads. kAfterAWhile: at the end of the first item that ends after
/// Limits::microseconds_alone, so that short work costs no threads. kAtOnce: for items that may take long each.
enum class Starting { kAfterAWhile, kAtOnce };

/// Calls work(i, thread, budget) for i = 0, ..., count - 1, started in this order, on at most `threads` threads.
/// The calling thread is thread 0. The others have their own budgets with the deadline of `budget`. If several calls
/// throw, the error of the smallest i is rethrown; items after it may not have been started.
void by_threads(std::size_t threads, std::uint64_t count, Budget& budget,
                const std::function<void(std::uint64_t, std::size_t, Budget&)>& work,
                Starting starting = Starting::kAfterAWhile);

/// FLINT keeps caches per thread; each thread that computes with Numbers frees its own at its end.
class NumberThread {
 public:
  NumberThread() = default;
  NumberThread(const NumberThread&) = delete;
  NumberThread& operator=(const NumberThread&) = delete;
  ~NumberThread();
};

// Tasks (base/task.h) on Numbers.

/// Returns the outcome of a task: through the budget's scope, or by the calling thread alone if there is none.
Bytes run_task(const std::string& name, const Unit& unit, const TaskBody& lead, Budget& budget);

/// Returns a task name of fixed length for a question: its kind and its SHA-256.
std::string task_name(const std::string& kind, const Bytes& question);

void pack(BinaryWriter& writer, const Number& number);
Number unpack_number(BinaryReader& reader);

}  // namespace oddsbound::exact
