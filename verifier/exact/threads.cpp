#include "verifier/exact/threads.h"

#include <flint/flint.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace oddsbound {

namespace {

class Items {
 public:
  Items(std::size_t count, const std::function<void(std::size_t, Budget&)>& work) : errors_(count), work_(work) {}

  // Items are taken in order, so that every item before one that failed was begun.
  void do_them(Budget& budget) {
    for (std::size_t i = next_++; i < errors_.size() && !failed_; i = next_++) {
      try {
        work_(i, budget);
      } catch (...) {
        errors_[i] = std::current_exception();
        failed_ = true;
      }
    }
  }

  void rethrow_first() const {
    for (const std::exception_ptr& error : errors_) {
      if (error) std::rethrow_exception(error);
    }
  }

 private:
  std::vector<std::exception_ptr> errors_;
  const std::function<void(std::size_t, Budget&)>& work_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> failed_{false};
};

}  // namespace

NumberThread::~NumberThread() { flint_cleanup(); }

std::size_t wanted_threads(const Limits& limits) {
  return limits.threads != 0 ? limits.threads : std::max(1U, std::thread::hardware_concurrency());
}

void by_threads(std::size_t threads, std::size_t count, Budget& budget,
                const std::function<void(std::size_t, Budget&)>& work) {
  Items items(count, work);
  {
    std::vector<std::jthread> helpers;
    try {
      for (std::size_t t = 1; t < std::min(threads, count); ++t) {
        helpers.emplace_back([&] {
          const NumberThread cleanup;
          Budget own(budget, Budget::kHelper);
          items.do_them(own);
        });
      }
    } catch (const std::system_error&) {
      // No more threads to be had: those that run, and this one, do it all.
    }
    items.do_them(budget);
  }
  items.rethrow_first();
}

}  // namespace oddsbound
