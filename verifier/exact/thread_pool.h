// The units of one task (base/task.h) on threads of this process.
//
// Tasks and loops that run at the same time share the threads of a run through one SpareThreads: a thread that one of
// them does not need works for another. So a run never has more busy threads than it should, and the last of several
// tasks has all of them.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/budget.h"
#include "base/task.h"

namespace oddsbound::exact {

/// Counts the threads of a loop that have no item of their own.
class SpareThreads {
 public:
  /// For a loop over `items` items by `threads` threads, one for each item.
  SpareThreads(std::size_t threads, std::size_t items)
      : threads_(threads), items_(items), count_(threads - std::min(threads, items)) {}

  /// An item of the loop, for as long as it is worked on. At the end of the last ones, their threads become spare.
  class Item {
   public:
    explicit Item(SpareThreads& all) : all_(all) {}
    Item(const Item&) = delete;
    Item& operator=(const Item&) = delete;
    ~Item() {
      if (--all_.items_ < all_.threads_) all_.give(1);
    }

   private:
    SpareThreads& all_;
  };

  std::size_t count() const { return count_; }
  /// Takes up to `most` threads and returns how many.
  std::size_t take(std::size_t most);
  void give(std::size_t count) { count_ += count; }
  /// Returns how many units were handled by threads that were taken.
  std::uint64_t units() const { return units_; }
  void count_unit() { ++units_; }

 private:
  const std::size_t threads_;
  std::atomic<std::size_t> items_;  // that are not done
  std::atomic<std::size_t> count_;
  std::atomic<std::uint64_t> units_{0};
};

/// Threads taken for an inner loop, for the life of this object.
class TakenThreads {
 public:
  TakenThreads(SpareThreads& spare, std::size_t most) : spare_(spare), count_(spare.take(most)) {}
  TakenThreads(const TakenThreads&) = delete;
  TakenThreads& operator=(const TakenThreads&) = delete;
  ~TakenThreads() { spare_.give(count_); }

  std::size_t count() const { return count_; }

 private:
  SpareThreads& spare_;
  std::size_t count_;
};

/// The calling thread is thread 0. It works on units while it waits for results. Other threads are taken when a round
/// begins and threads are spare, but only after Limits::microseconds_alone. They are given back at the end.
class ThreadPool final : public WorkerPool {
 public:
  /// most_others: how many threads the pool may take. All other arguments must outlive the pool, and a unit may still
  /// run until the pool is destroyed.
  ThreadPool(const Unit& unit, Budget& budget, SpareThreads& spare, std::size_t most_others);
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool() override;

  std::size_t count() const override;
  std::unique_ptr<PendingUnits> begin(std::vector<Bytes> units) override;

 private:
  struct Round;
  class Pending;
  struct Taken {
    std::shared_ptr<Round> round;  // null: no unit is left
    std::size_t unit = 0;
  };

  void take_threads();
  void help(std::size_t thread);
  Taken next_unit(const std::shared_ptr<Round>& preferred);
  void work_on(const Taken& taken, std::size_t thread, Budget& budget, std::unique_lock<std::mutex>& lock);

  const Unit& unit_;
  Budget& budget_;
  SpareThreads& spare_;
  const std::size_t most_others_;
  const std::chrono::steady_clock::time_point may_take_;  // from then on
  std::mutex guard_;
  std::condition_variable begun_, done_;
  std::deque<std::shared_ptr<Round>> rounds_;  // with units that nobody has taken; oldest first
  bool is_over_ = false;
  std::vector<std::jthread> others_;
};

}  // namespace oddsbound::exact
