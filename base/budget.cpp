#include "base/budget.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <fstream>
#include <sstream>
#include <string>

#include "base/errors.h"
#include "base/limit_events.h"
#include "base/task.h"

namespace oddsbound::base {

std::uint64_t resident_bytes() { return bytes_of_pages(kResidentPages); }

std::uint64_t most_listable() {
  const Budget* budget = Budget::current();
  return budget == nullptr ? Limits().max_inputs : budget->limits().max_inputs;
}

void require_listable(std::uint64_t inputs) {
  const std::uint64_t most = most_listable();
  if (inputs > most) {
    throw LimitError("the domain has more inputs than may be held (--max-inputs " + std::to_string(most) + ")");
  }
}

namespace {

std::uint64_t memory_limit(const Limits& limits) { return limits.max_memory_mb * 1024 * 1024; }

std::string plain_text(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

// Bytes reserved for writing results, which are kept until the run ends. The end is that of the outermost budget,
// or that of the program if Limits::memory_in_use is set.
std::atomic<std::uint64_t> promised_bytes = 0;

std::atomic<std::uint64_t> events = 0;  // limit_events()

}  // namespace

std::uint64_t limit_events() { return events; }

constinit thread_local Budget* Budget::current_ = nullptr;

Budget::Budget(const Limits& limits)
    : limits_(limits), start_(std::chrono::steady_clock::now()), next_look_(start_), outer_(current_) {
  if (!limits_.memory_in_use) bytes_before_ = outer_ == nullptr ? resident_bytes() : outer_->bytes_before_;
  current_ = this;
}

Budget::Budget() : Budget(current_ == nullptr ? Limits() : current_->limits_) {
  if (outer_ == nullptr) return;
  start_ = outer_->start_;
  end_of_part_ = outer_->end_of_part_;
}

Budget::Budget(const Budget& whole, Helper) : Budget(whole.limits_) {
  start_ = whole.start_;
  end_of_part_ = whole.end_of_part_;
  bytes_before_ = whole.bytes_before_;
}

Budget::Budget(const Budget& whole, Unstopped) : Budget(whole, kHelper) { limits_.stop = {}; }

Budget::Budget(const Budget& whole, Alone) : Budget(whole, kHelper) { limits_.scope = nullptr; }

Budget::~Budget() {
  // Usually this is the innermost budget; a static one may outlive others.
  Budget** place = &current_;
  while (*place != nullptr && *place != this) place = &(*place)->outer_;
  if (*place == this) *place = outer_;
  if (limits_.memory_in_use) return;
  if (outer_ == nullptr) {
    assert(promised_bytes >= promised_);
    promised_bytes -= promised_;
  } else {
    outer_->promised_ += promised_;
  }
}

Budget::Part::Part(Budget& budget, double seconds) : budget_(budget) {
  assert(!budget.has_part());
  constexpr double kLongest = 1e8;  // the clock counts nanoseconds in 64 bits
  const auto part = std::chrono::duration<double>(std::min({seconds, budget.seconds_to_deadline(), kLongest}));
  budget.end_of_part_ =
      std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(part);
}

Budget::Part::~Part() { budget_.end_of_part_ = std::chrono::steady_clock::time_point::max(); }

void Budget::check() {
  if (limits_.scope != nullptr && limits_.scope->is_abandoned()) throw Abandoned();
  if (limits_.stop.stop_requested()) fail_for_stop();
  const auto now = std::chrono::steady_clock::now();
  if (std::chrono::duration<double>(now - start_).count() > limits_.max_seconds || now > end_of_part_) {
    fail_for_time();
  }
  if (now < next_look_) return;
  next_look_ = now + std::chrono::milliseconds(50);
  if (bytes_in_use() > memory_limit(limits_)) fail_for_memory();
}

void Budget::require_memory(std::uint64_t bytes) const {
  const std::uint64_t most = memory_limit(limits_);
  if (bytes <= most && bytes_in_use() <= most - bytes) return;
  // Freed memory is still resident and would be reused: return it to the system and measure again.
  malloc_trim(0);
  if (bytes > most || bytes_in_use() > most - bytes) fail_for_memory();
}

std::uint64_t Budget::bytes_in_use() const {
  if (limits_.memory_in_use) return limits_.memory_in_use();
  // Other code in the process may have freed memory since: the difference could be negative.
  const std::uint64_t now = resident_bytes();
  return now - std::min(now, bytes_before_);
}

std::uint64_t Budget::memory_left_mb() const {
  const std::uint64_t used = bytes_in_use() >> 20;
  return limits_.max_memory_mb - std::min(limits_.max_memory_mb, used);
}

void Budget::reserve_output(std::size_t characters) {
  // Measured with numbers of a million digits, the slowest ones: a number is converted to text several times, and
  // the time per digit grows with the length.
  constexpr auto kTimeOfCharacter = std::chrono::nanoseconds(600);
  constexpr std::uint64_t kBytesOfCharacter = 8;
  // Output up to this length is written even after the deadline: it reports what was known when the time ran out.
  constexpr std::size_t kAlwaysWritten = 100'000;
  if (characters == 0) return;
  const auto duration = characters * kTimeOfCharacter;
  const std::uint64_t bytes = characters * kBytesOfCharacter;
  const std::string what =
      "what was found has about " + std::to_string(characters) + " characters, too many to be written ";
  if (characters > kAlwaysWritten && std::chrono::duration<double>(duration).count() > seconds_to_deadline()) {
    ++events;
    throw LimitError(what + "within the time limit (--max-seconds " + plain_text(limits_.max_seconds) + ")");
  }
  if (bytes_in_use() + promised_bytes + bytes > memory_limit(limits_)) {
    ++events;
    throw LimitError(what + "within the memory limit (--max-memory-mb " + std::to_string(limits_.max_memory_mb) + ")");
  }
  start_ -= duration;
  if (has_part()) end_of_part_ -= duration;
  promised_bytes += bytes;
  promised_ += bytes;
}

void Budget::fail_for_memory() const {
  ++events;
  throw Interrupted("the memory limit was reached (--max-memory-mb " + std::to_string(limits_.max_memory_mb) + ")");
}

void Budget::fail_for_time() const { throw Interrupted(time_is_over()); }

std::string Budget::time_is_over() const {
  ++events;
  const std::string limit = "(--max-seconds " + plain_text(limits_.max_seconds);
  if (has_part()) return "the claim's part of the time limit was reached " + limit + " for all claims)";
  return "the time limit was reached " + limit + ")";
}

void Budget::fail_for_stop() {
  ++events;
  throw Interrupted("the work was stopped");
}

double Budget::seconds_left() const { return limits_.stop.stop_requested() ? 0 : seconds_to_deadline(); }

double Budget::seconds_to_deadline() const {
  const auto now = std::chrono::steady_clock::now();
  const double left = limits_.max_seconds - std::chrono::duration<double>(now - start_).count();
  const double of_part = std::chrono::duration<double>(end_of_part_ - now).count();
  return std::max(0.0, has_part() ? std::min(left, of_part) : left);
}

void Budget::require_cells(std::uint64_t inputs, std::uint64_t outputs, const char* what) const {
  if (inputs != 0 && outputs > limits_.max_cells / inputs) {
    throw LimitError("the channel has " + std::to_string(inputs) + " " + what + " x " +
                     (outputs == UINT64_MAX ? std::string("more than 2^64") : std::to_string(outputs)) +
                     " outputs, more than may be enumerated (--max-cells " + std::to_string(limits_.max_cells) + ")");
  }
}

std::uint64_t allocated_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

std::uint64_t bytes_of_pages(int place) {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t pages = 0;
  for (int i = 0; i <= place; ++i) statm >> pages;
  return statm ? pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) : allocated_bytes();
}

}  // namespace oddsbound::base
