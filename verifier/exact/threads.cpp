#include "verifier/exact/threads.h"

#include <flint/flint.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "base/bytes.h"
#include "verifier/exact/expression.h"

namespace oddsbound::exact {

namespace {

using Clock = std::chrono::steady_clock;
using ItemWork = std::function<void(std::uint64_t, std::size_t, Budget&)>;

class Items {
 public:
  Items(std::uint64_t count, const ItemWork& work) : count_(count), work_(work) {}

  // Processes items in order, so every item before a failed one was started. Returns false once it is late and
  // items may be left.
  bool do_them(std::size_t thread, Budget& budget, Clock::time_point late = Clock::time_point::max()) {
    for (std::uint64_t i = next_++; i < count_ && !failed_; i = next_++) {
      try {
        work_(i, thread, budget);
      } catch (...) {
        fail(i, std::current_exception());
      }
      if (late != Clock::time_point::max() && Clock::now() >= late) return false;
    }
    return true;
  }

  void rethrow_first() const {
    if (first_error_) std::rethrow_exception(first_error_);
  }

 private:
  void fail(std::uint64_t item, const std::exception_ptr& error) {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    if (item < first_failed_) first_error_ = error;
    first_failed_ = std::min(first_failed_, item);
  }

  std::uint64_t count_;
  const ItemWork& work_;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::uint64_t first_failed_ = UINT64_MAX;
  std::exception_ptr first_error_;
};

}  // namespace

NumberThread::~NumberThread() { flint_cleanup(); }

std::size_t wanted_threads(const Limits& limits) {
  static const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());  // the query reads a file
  return limits.threads != 0 ? limits.threads : cores;
}

void by_threads(std::size_t threads, std::uint64_t count, Budget& budget, const ItemWork& work, Starting starting) {
  Items items(count, work);
  const auto late = Clock::now() + std::chrono::microseconds(budget.limits().microseconds_alone);
  std::vector<std::jthread> helpers;
  if (threads > 1 && (starting == Starting::kAtOnce || !items.do_them(0, budget, late))) {
    try {
      for (std::size_t t = 1; t < std::min<std::uint64_t>(threads, count); ++t) {
        helpers.emplace_back([&items, &budget, t] {
          const NumberThread cleanup;
          Budget own(budget, Budget::kHelper);
          items.do_them(t, own);
        });
      }
    } catch (const std::system_error&) {
      // No more threads available: the running ones and this one do all the work.
    }
  }
  items.do_them(0, budget);
  helpers.clear();
  items.rethrow_first();
}

namespace {

class OwnUnits final : public PendingUnits {
 public:
  OwnUnits(std::vector<Bytes> units, const Unit& unit, Budget& budget)
      : units_(std::move(units)), unit_(unit), budget_(budget) {}
  std::vector<Bytes> results() override {
    std::vector<Bytes> results;
    for (const Bytes& unit : units_) results.push_back(unit_(unit, 0, budget_));
    return results;
  }

 private:
  std::vector<Bytes> units_;
  const Unit& unit_;
  Budget& budget_;
};

class OwnHands final : public WorkerPool {
 public:
  OwnHands(const Unit& unit, Budget& budget) : unit_(unit), budget_(budget) {}
  std::size_t count() const override { return 1; }
  std::unique_ptr<PendingUnits> begin(std::vector<Bytes> units) override {
    return std::make_unique<OwnUnits>(std::move(units), unit_, budget_);
  }

 private:
  const Unit& unit_;
  Budget& budget_;
};

}  // namespace

Bytes run_task(const std::string& name, const Unit& unit, const TaskBody& lead, Budget& budget) {
  if (TaskScope* scope = budget.limits().scope) return scope->run(name, unit, lead, budget);
  OwnHands workers(unit, budget);
  return lead(workers, budget);
}

std::string task_name(const std::string& kind, const Bytes& question) { return kind + " " + sha256(question); }

void pack(BinaryWriter& writer, const Number& number) { writer.put(number.to_string()); }

Number unpack_number(BinaryReader& reader) { return parse_number(reader.text()); }

}  // namespace oddsbound::exact
