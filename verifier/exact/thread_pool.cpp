#include "verifier/exact/thread_pool.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <system_error>

#include "verifier/exact/threads.h"

namespace oddsbound::exact {

std::size_t SpareThreads::take(std::size_t most) {
  std::size_t known = count_;
  std::size_t taken = std::min(known, most);
  while (taken > 0 && !count_.compare_exchange_weak(known, known - taken)) taken = std::min(known, most);
  return taken;
}

// The pool's mutex guards all but the units.
struct ThreadPool::Round {
  explicit Round(std::vector<Bytes> of)
      : units(std::move(of)), results(units.size()), errors(units.size()), left(units.size()) {}

  bool has_more() const { return next < units.size(); }

  const std::vector<Bytes> units;
  std::vector<Bytes> results;
  std::vector<std::exception_ptr> errors;
  std::size_t next = 0;  // the first unit that nobody has taken
  std::size_t left;      // without a result
};

class ThreadPool::Pending final : public PendingUnits {
 public:
  Pending(ThreadPool& pool, std::shared_ptr<Round> round) : pool_(pool), round_(std::move(round)) {}
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  // A thread that works on a unit of the round still has it.
  ~Pending() override {
    const std::lock_guard lock(pool_.guard_);
    std::erase(pool_.rounds_, round_);
  }

  std::vector<Bytes> results() override {
    std::unique_lock lock(pool_.guard_);
    while (round_->left > 0) {
      if (const Taken taken = pool_.next_unit(round_); taken.round) {
        pool_.work_on(taken, 0, pool_.budget_, lock);
      } else {
        pool_.done_.wait(lock);
      }
    }
    for (const std::exception_ptr& error : round_->errors) {
      if (error) std::rethrow_exception(error);
    }
    return std::move(round_->results);
  }

 private:
  ThreadPool& pool_;
  std::shared_ptr<Round> round_;
};

ThreadPool::ThreadPool(const Unit& unit, Budget& budget, SpareThreads& spare, std::size_t most_others)
    : unit_(unit),
      budget_(budget),
      spare_(spare),
      most_others_(most_others),
      may_take_(std::chrono::steady_clock::now() + std::chrono::microseconds(budget.limits().microseconds_alone)) {}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(guard_);
    is_over_ = true;
  }
  begun_.notify_all();
  const std::size_t taken = others_.size();
  others_.clear();
  spare_.give(taken);
}

std::size_t ThreadPool::count() const {
  const std::size_t more = others_.size() < most_others_ && std::chrono::steady_clock::now() >= may_take_
                               ? std::min(spare_.count(), most_others_ - others_.size())
                               : 0;
  return 1 + others_.size() + more;
}

std::unique_ptr<PendingUnits> ThreadPool::begin(std::vector<Bytes> units) {
  auto round = std::make_shared<Round>(std::move(units));
  if (round->has_more()) {
    {
      const std::lock_guard lock(guard_);
      rounds_.push_back(round);
    }
    begun_.notify_all();
    take_threads();
  }
  return std::make_unique<Pending>(*this, std::move(round));
}

void ThreadPool::take_threads() {
  if (others_.size() >= most_others_ || std::chrono::steady_clock::now() < may_take_) return;
  std::size_t taken = spare_.take(most_others_ - others_.size());
  try {
    for (; taken > 0; --taken) {
      const std::size_t thread = others_.size() + 1;
      others_.emplace_back([this, thread] { help(thread); });
    }
  } catch (const std::exception&) {
    // No more threads are available, or no memory for them: those that run, and the calling one, do all the work.
  }
  spare_.give(taken);
}

void ThreadPool::help(std::size_t thread) {
  const NumberThread cleanup;
  Budget own(budget_, Budget::kHelper);
  std::unique_lock lock(guard_);
  while (true) {
    begun_.wait(lock, [this] { return is_over_ || !rounds_.empty(); });
    if (is_over_) return;
    spare_.count_unit();
    work_on(next_unit(nullptr), thread, own, lock);
  }
}

// Units of the preferred round come first, then those of the oldest one.
ThreadPool::Taken ThreadPool::next_unit(const std::shared_ptr<Round>& preferred) {
  if (rounds_.empty()) return {};
  Taken taken{preferred && preferred->has_more() ? preferred : rounds_.front()};
  taken.unit = taken.round->next++;
  if (!taken.round->has_more()) std::erase(rounds_, taken.round);
  return taken;
}

// An error is thrown where the results of its round are asked for: the unit of a later round may never be needed.
void ThreadPool::work_on(const Taken& taken, std::size_t thread, Budget& budget, std::unique_lock<std::mutex>& lock) {
  lock.unlock();
  Bytes result;
  std::exception_ptr error;
  try {
    result = unit_(taken.round->units[taken.unit], thread, budget);
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  taken.round->results[taken.unit] = std::move(result);
  taken.round->errors[taken.unit] = error;
  if (--taken.round->left == 0) done_.notify_all();
}

}  // namespace oddsbound::exact
