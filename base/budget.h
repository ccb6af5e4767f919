// The resources one spec may use. Long loops call tick(), and numbers that are too large for machine words announce the
// work on them; past a limit either throws a LimitError that names the flag.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

#include "base/namespaces.h"

namespace oddsbound::base {

class TaskScope;
class TaskScopes;

/// The memory that this process holds, in bytes: for Limits::memory_in_use of a program that is nothing but its
/// budgets.
std::uint64_t resident_bytes();

/// Throws LimitError if there are more inputs than may be held, by the budget that the thread works within.
void require_listable(std::uint64_t inputs);

struct Limits {
  std::uint64_t max_inputs = std::uint64_t{1} << 24;
  std::uint64_t max_cells = std::uint64_t{1} << 27;  // inputs x outputs that may be enumerated
  double max_seconds = 300;
  std::uint64_t max_memory_mb = 4096;
  /// The bytes in use that count against max_memory_mb. Empty: what this process has come to hold since the budget
  /// began, so that a host's other memory does not count.
  std::function<std::uint64_t()> memory_in_use{};
  std::uint64_t max_file_mb = 512;
  std::stop_token stop{};  // who asks for a stop ends the work at its next look, as a limit does
  /// Told now and then, by any thread, how far a search has come. Empty: nobody asks.
  std::function<void(const std::string& at)> told{};
  bool use_disjoint_parts = true;  // false: enumerate columns even where a channel's structure allows a proof by cases
  std::size_t threads = 0;  // of one pass over columns; 0: as many as there are cores. Results do not depend on it
  std::uint64_t chunk_cells = std::uint64_t{1} << 15;  // that a thread takes at once
  std::uint32_t microseconds_alone = 500;              // what takes less does not pay for threads
  std::uint64_t unit_cells = std::uint64_t{1} << 22;   // that another process takes at once (task.h)
  // Of tasks that others take part in, or that are kept (task.h): what makes scopes, and the one that work is in. Null:
  // there are none.
  TaskScopes* scopes = nullptr;
  TaskScope* scope = nullptr;
};

/// While it exists, it is what the thread that made it works within (the last one made, if there are several).
class Budget {
 public:
  /// What is left of the one that the thread works within; the default limits if there is none.
  Budget();
  explicit Budget(const Limits& limits);
  /// For a thread that helps with the work of `whole`, which outlives it: the same limits, within the same time.
  struct Helper {};
  static constexpr Helper kHelper{};
  Budget(const Budget& whole, Helper);
  /// For what is to be done even after a stop was asked for: the same limits, within the same time.
  struct Unstopped {};
  static constexpr Unstopped kUnstopped{};
  Budget(const Budget& whole, Unstopped);
  /// For work within a task, which has no tasks of its own: the same limits, within the same time.
  struct Alone {};
  static constexpr Alone kAlone{};
  Budget(const Budget& whole, Alone);
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;
  ~Budget();

  /// What the calling thread works within, or null.
  static Budget* current() { return current_; }
  /// For a process that was just forked: it has limits of its own.
  static void forget() { current_ = nullptr; }

  const Limits& limits() const { return limits_; }

  /// Cheap; looks at the clock now and then, at the memory in use every 50 ms. Throws LimitError.
  void check_every() {
    if ((++ticks_ & 0xff) == 0) check();
  }
  /// Looks at once: for callers between expensive steps.
  void check();
  /// Of the memory for the spec, at least 0.
  std::uint64_t memory_left_mb() const;
  /// Of the time for the spec, at least 0.
  double seconds_left() const;
  /// Throws LimitError if inputs x outputs may not be enumerated.
  void require_cells(std::uint64_t inputs, std::uint64_t outputs) const;
  /// Throws LimitError if this much more memory would pass the limit.
  void require_memory(std::uint64_t bytes) const;
  /// Takes the time and the memory now that writing so many characters of numbers will take in the end.
  void reserve_output(std::size_t characters);
  [[noreturn]] void fail_for_memory() const;
  [[noreturn]] void fail_for_time() const;
  /// What an error for that says.
  std::string time_is_over() const;
  [[noreturn]] static void fail_for_stop();

  /// Before an operation on numbers of so many bits: as good as a tick for small ones, as a look for large ones.
  static void work_on(std::size_t bits) {
    if (current_ != nullptr) current_->work(bits);
  }

 private:
  static constexpr std::size_t kBitsBetweenLooks = std::size_t{1} << 16;

  std::uint64_t bytes_in_use() const;
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
  std::chrono::steady_clock::time_point next_look_;
  std::uint64_t bytes_before_ = 0;  // that do not count
  std::uint64_t promised_ = 0;      // bytes of text
  std::uint32_t ticks_ = 0;
  std::size_t work_ = 0;
  Budget* outer_;
};

// The memory that this process holds, also on systems without /proc.

/// The bytes that the allocator has handed out. GMP, FLINT and Z3 use it too.
std::uint64_t allocated_bytes();

/// Places of numbers in /proc/self/statm.
constexpr int kResidentPages = 1;
constexpr int kDataPages = 5;

/// One of them in bytes; without /proc, allocated_bytes().
std::uint64_t bytes_of_pages(int place);

}  // namespace oddsbound::base
