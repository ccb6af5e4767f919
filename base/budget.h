// The budget of one spec under its limits (oddsbound/limits.h).
//
// Long loops call Budget::check_every(). Operations on numbers larger than a machine word announce their size with
// Budget::work_on(). Past a limit either throws a LimitError that names the flag. The end of the file reads the
// memory in use of this process.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

#include "base/namespaces.h"

// Defined if GCC or Clang compiles with the address sanitizer, which needs unlimited address space and its own
// allocator.
#if defined(__SANITIZE_ADDRESS__)
#define ODDSBOUND_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ODDSBOUND_ADDRESS_SANITIZER
#endif
#endif
#include "oddsbound/limits.h"

namespace oddsbound::base {

/// The answer to a question that a limit may leave open. kOpen: neither is shown, because a limit was reached or bounds
/// do not decide.
enum class Answer { kNo, kYes, kOpen };

constexpr Answer answer_of(bool yes) { return yes ? Answer::kYes : Answer::kNo; }
/// Returns kNo if either is, kYes if both are.
constexpr Answer both(Answer a, Answer b) {
  return a == Answer::kNo || b == Answer::kNo ? Answer::kNo : a == Answer::kYes ? b : a;
}

/// Returns the resident memory of this process in bytes. Use it as Limits::memory_in_use in a program that does
/// nothing outside its budgets.
std::uint64_t resident_bytes();

/// Returns max_inputs of the calling thread's budget (of the default Limits without one).
std::uint64_t most_listable();
/// Throws LimitError if `inputs` exceeds it.
void require_listable(std::uint64_t inputs);

/// A running budget. While it exists, the thread that constructed it works under it; the latest one counts if
/// there are several.
class Budget {
 public:
  /// The remainder of the thread's current budget, or the default limits if there is none.
  Budget();
  explicit Budget(const Limits& limits);
  /// For a thread that works on part of `whole`, which outlives this budget: same limits, same deadline.
  struct Helper {};
  static constexpr Helper kHelper{};
  Budget(const Budget& whole, Helper);
  /// For work that must run even after a stop request: same limits, same deadline, no stop token.
  struct Unstopped {};
  static constexpr Unstopped kUnstopped{};
  Budget(const Budget& whole, Unstopped);
  /// For work within a task, which must not start tasks of its own: same limits, same deadline, no scope.
  struct Alone {};
  static constexpr Alone kAlone{};
  Budget(const Budget& whole, Alone);
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;
  ~Budget();

  /// While it exists, a budget ends after `seconds`, or earlier: one of several claims that share it must not use up
  /// the time of the others. Parts do not nest.
  class Part {
   public:
    Part(Budget& budget, double seconds);
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;
    ~Part();

   private:
    Budget& budget_;
  };

  /// Returns the calling thread's budget, or null.
  static Budget* current() { return current_; }
  /// Drops the current budget. For a process that was just forked: it has limits of its own.
  static void forget() { current_ = nullptr; }

  const Limits& limits() const { return limits_; }

  /// Runs check() on every 256th call. Cheap enough for inner loops.
  void check_every() {
    if ((++ticks_ & 0xff) == 0) check();
  }
  /// Checks the stop request and the clock, and the memory in use every 50 ms; for callers between expensive
  /// steps. Throws Interrupted past a limit or after a stop request, Abandoned if the task scope is abandoned.
  void check();
  /// Returns the memory left for the spec in MB (2^20 bytes), at least 0.
  std::uint64_t memory_left_mb() const;
  /// Returns the seconds left for the spec, or for the part that exists, at least 0; 0 after a stop request.
  double seconds_left() const;
  /// Throws LimitError if inputs x outputs exceeds max_cells. The message calls the inputs `what`.
  void require_cells(std::uint64_t inputs, std::uint64_t outputs, const char* what = "inputs") const;
  /// Throws LimitError if `bytes` more memory would exceed the limit.
  void require_memory(std::uint64_t bytes) const;
  /// Charges the time and memory that writing `characters` characters of numbers will take at the end of the run.
  /// Throws LimitError if they exceed what is left.
  void reserve_output(std::size_t characters);
  [[noreturn]] void fail_for_memory() const;
  [[noreturn]] void fail_for_time() const;
  /// Returns the message of fail_for_time().
  std::string time_is_over() const;
  [[noreturn]] static void fail_for_stop();

  /// Announces an operation on numbers of `bits` bits. As cheap as check_every() for small numbers; checks at once
  /// for large ones.
  static void work_on(std::size_t bits) {
    if (current_ != nullptr) current_->work(bits);
  }

 private:
  static constexpr std::size_t kBitsBetweenLooks = std::size_t{1} << 16;

  std::uint64_t bytes_in_use() const;
  bool has_part() const { return end_of_part_ != std::chrono::steady_clock::time_point::max(); }
  double seconds_to_deadline() const;
  void work(std::size_t bits) {
    work_ += bits + 64;
    if (work_ < kBitsBetweenLooks) return;
    work_ = 0;
    check();
  }

  static constinit thread_local Budget* current_;

  Limits limits_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point end_of_part_ = std::chrono::steady_clock::time_point::max();
  std::chrono::steady_clock::time_point next_look_;
  std::uint64_t bytes_before_ = 0;  // baseline: memory that does not count
  std::uint64_t promised_ = 0;      // bytes of text reserved by this budget
  std::uint32_t ticks_ = 0;
  std::size_t work_ = 0;
  Budget* outer_;
};

// Memory in use of this process, also on systems without /proc.

/// Returns the bytes that the C allocator has handed out, including those to GMP, FLINT and Z3.
std::uint64_t allocated_bytes();

/// Indices of fields of /proc/self/statm, which are in pages.
constexpr int kResidentPages = 1;
constexpr int kDataPages = 5;

/// Returns one of these fields in bytes; allocated_bytes() without /proc.
std::uint64_t bytes_of_pages(int place);

}  // namespace oddsbound::base
