#include "base/child.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <new>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <utility>

#include "base/budget.h"
#include "base/launch.h"
#include "base/memory.h"
#include "base/wait.h"

namespace oddsbound::base {

namespace {

using Clock = std::chrono::steady_clock;
using End = ChildResult::End;

constexpr std::size_t kMostOutput = std::size_t{64} << 20;
constexpr int kStatusOfFailure = 1;

struct OutputPipe {
  int read_end = -1;
  int write_end = -1;
  OutputPipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
      throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
    }
    read_end = ends[0];
    write_end = ends[1];
  }
  OutputPipe(const OutputPipe&) = delete;
  OutputPipe& operator=(const OutputPipe&) = delete;
  ~OutputPipe() {
    if (write_end >= 0) close(write_end);
    close(read_end);
  }
  void close_write_end() { close(std::exchange(write_end, -1)); }
};

// Reads until the other end is closed; kFinished if that is before the deadline and not too much of it.
End collect(int input, Clock::time_point deadline, std::string& output) {
  char buffer[65536];
  for (;;) {
    if (wait_to_read(input, deadline) == 0) return End::kDeadline;
    const ssize_t size = read(input, buffer, sizeof buffer);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return End::kFailed;
    if (size == 0) return End::kFinished;
    output.append(buffer, static_cast<std::size_t>(size));
    if (output.size() > kMostOutput) return End::kOverflow;
  }
}

// Of a child that closed its output by itself.
void set_end(ChildResult& result, int status) {
  if (WIFSIGNALED(status)) {
    result.end = End::kKilled;
    result.code = WTERMSIG(status);
    return;
  }
  assert(WIFEXITED(status));
  result.code = WEXITSTATUS(status);
  if (result.code == 0) {
    result.end = End::kFinished;
  } else {
    result.end = result.code == kStatusOfMemory ? End::kMemory : End::kFailed;
  }
}

// That of the work which the calling thread does.
std::stop_token stop_of_work() {
  const Budget* budget = Budget::current();
  return budget == nullptr ? std::stop_token() : budget->limits().stop;
}

ChildResult attend(pid_t child, OutputPipe& pipe, Clock::time_point start, double seconds) {
  pipe.close_write_end();
  ChildResult result;
  const std::stop_token stop = stop_of_work();
  // Gone before the child is waited for: afterwards its number may be another's.
  std::optional<std::stop_callback<std::function<void()>>> killing;
  killing.emplace(stop, [child] { kill(child, SIGKILL); });
  constexpr double kForever = 1e8;  // in seconds: more than the clock's numbers hold would be over at once
  const auto patience = std::chrono::duration<double>(std::min(seconds, kForever));
  result.end = collect(pipe.read_end, start + std::chrono::duration_cast<Clock::duration>(patience), result.output);
  killing.reset();
  if (result.end != End::kFinished) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (result.end == End::kFinished) set_end(result, status);
  if (result.end == End::kKilled && stop.stop_requested()) result.end = End::kStopped;
  return result;
}

// The data of this process, as RLIMIT_DATA counts them.
std::uint64_t bytes_of_data() { return bytes_of_pages(kDataPages); }

[[noreturn]] void work_and_exit(const std::function<void(int)>& work, int output) {
  // It has limits of its own.
  Budget::forget();
  int status = 0;
  try {
    work(output);
  } catch (const std::bad_alloc&) {
    status = kStatusOfMemory;
  } catch (...) {
    status = kStatusOfFailure;
  }
  _exit(status);
}

}  // namespace

std::string ChildResult::how_it_ended() const {
  switch (end) {
    case End::kFinished: return "it finished";
    case End::kDeadline: return "it was stopped at its time limit";
    case End::kStopped: return "the work was stopped";
    case End::kOverflow: return "it wrote more than " + std::to_string(kMostOutput >> 20) + " MB";
    case End::kMemory: return "it had no memory left";
    case End::kFailed: return "it ended with status " + std::to_string(code);
    case End::kKilled: return std::string("it was killed: ") + strsignal(code);
  }
  return "";
}

ChildResult run_in_child(const std::function<void(int)>& work, const ChildLimits& limits) {
  const auto start = Clock::now();
  const std::uint64_t data = bytes_of_data() + (limits.memory_mb << 20);
  const pid_t parent = getpid();
  OutputPipe pipe;
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
  if (child == 0) {
    if (!limit_child(parent, data)) _exit(kStatusOfFailure);
    work_and_exit(work, pipe.write_end);
  }
  return attend(child, pipe, start, limits.seconds);
}

ChildResult run_program(const std::vector<std::string>& arguments, const ChildLimits& limits) {
  const auto start = Clock::now();
  OutputPipe pipe;
  Launch program{arguments};
  program.output = pipe.write_end;
  program.memory_mb = limits.memory_mb;
  const pid_t child = launch(program);
  return attend(child, pipe, start, limits.seconds);
}

}  // namespace oddsbound::base
