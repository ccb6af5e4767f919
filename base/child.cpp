#include "base/child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <stop_token>
#include <utility>

#include "base/budget.h"

namespace oddsbound::base {

namespace {

using Clock = std::chrono::steady_clock;
using End = ChildResult::End;

constexpr std::size_t kMostOutput = std::size_t{64} << 20;
constexpr int kStatusOfFailure = 1;

// Reads until the other end is closed. Returns kFinished if that happens before the deadline and within
// kMostOutput bytes.
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

// Sets the result of a child that closed its output itself.
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

// Returns the stop token of the calling thread's budget.
std::stop_token stop_of_work() {
  const Budget* budget = Budget::current();
  return budget == nullptr ? std::stop_token() : budget->limits().stop;
}

ChildResult attend(pid_t child, Pipe& pipe, Clock::time_point start, double seconds) {
  pipe.close_write_end();
  ChildResult result;
  const std::stop_token stop = stop_of_work();
  // Destroyed before waitpid: afterwards the process number may belong to another process.
  std::optional<std::stop_callback<std::function<void()>>> killing;
  killing.emplace(stop, [child] { kill(child, SIGKILL); });
  constexpr double kForever = 1e8;  // seconds; larger values overflow the clock and would end at once
  const auto search_limits = std::chrono::duration<double>(std::min(seconds, kForever));
  result.end =
      collect(pipe.read_end, start + std::chrono::duration_cast<Clock::duration>(search_limits), result.output);
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

// Returns the data size of this process, as RLIMIT_DATA counts it.
std::uint64_t bytes_of_data() { return bytes_of_pages(kDataPages); }

[[noreturn]] void work_and_exit(const std::function<void(int)>& work, int output) {
  // The child has limits of its own.
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
  Pipe pipe;
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
  Pipe pipe;
  Launch program{arguments};
  program.output = pipe.write_end;
  program.memory_mb = limits.memory_mb;
  const pid_t child = launch(program);
  return attend(child, pipe, start, limits.seconds);
}

namespace {

// The statuses that a shell uses.
constexpr int kNoDirectory = 126;
constexpr int kNoProgram = 127;

// Moves a descriptor above the standard ones: if this process closed a standard one, a new pipe may have its
// number.
int beyond_standard(int descriptor) {
  if (descriptor < 0 || descriptor > STDERR_FILENO) return descriptor;
  return fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

bool connect(const Launch& what) {
  const int from[] = {beyond_standard(what.input), beyond_standard(what.output), beyond_standard(what.errors)};
  for (int standard = STDIN_FILENO; standard <= STDERR_FILENO; ++standard) {
    if (from[standard] >= 0 && dup2(from[standard], standard) < 0) return false;
  }
  return true;
}

}  // namespace

PreparedLaunch::PreparedLaunch(const Launch& what) : what_(what) {
  assert(!what_.arguments.empty());
  path_ = what_.path.empty() ? program_path(what_.arguments[0]) : what_.path;
  for (std::string& argument : what_.arguments) arguments_.push_back(argument.data());
  arguments_.push_back(nullptr);
}

void PreparedLaunch::become(pid_t parent) const {
  if (!limit_child(parent, what_.memory_mb << 20)) _exit(kNoProgram);
  if (!connect(what_)) _exit(kNoProgram);
  // Ignored signals stay ignored across exec.
  std::signal(SIGPIPE, SIG_DFL);
  if (!what_.directory.empty() && chdir(what_.directory.c_str()) != 0) _exit(kNoDirectory);
  execv(path_.c_str(), arguments_.data());
  _exit(kNoProgram);
}

pid_t launch(const Launch& what) {
  const PreparedLaunch ready(what);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
  if (child == 0) ready.become(parent);
  return child;
}

bool limit_child(pid_t parent, [[maybe_unused]] std::uint64_t data_bytes) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The terminal sends Ctrl-C to both processes. If this process handles it, it also ends the child.
  struct sigaction interrupt {};
  if (sigaction(SIGINT, nullptr, &interrupt) == 0 && interrupt.sa_handler != SIG_DFL) std::signal(SIGINT, SIG_IGN);
#ifndef ODDSBOUND_ADDRESS_SANITIZER
  // The address sanitizer reserves far more address space than it uses.
  const rlimit limit{data_bytes, data_bytes};
  setrlimit(RLIMIT_DATA, &limit);
#endif
  const rlimit no_dumps{0, 0};
  setrlimit(RLIMIT_CORE, &no_dumps);
  return getppid() == parent;
}

std::string program_path(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* path = std::getenv("PATH");
  std::stringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (folder.empty()) continue;
    folder.append("/").append(name);
    if (access(folder.c_str(), X_OK) == 0) return folder;
  }
  return "";
}

short wait_to_read(int descriptor, std::chrono::steady_clock::time_point deadline) {
  for (;;) {
    const auto left = deadline - std::chrono::steady_clock::now();
    const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(left).count();
    if (milliseconds <= 0) return 0;
    pollfd ready{descriptor, POLLIN, 0};
    const int count = poll(&ready, 1, static_cast<int>(std::min<long>(milliseconds, 1 << 30)));
    if (count > 0) return ready.revents;
    if (count < 0 && errno != EINTR) return 0;
  }
}

Pipe::Pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
  read_end = ends[0];
  write_end = ends[1];
}

Pipe::~Pipe() {
  close_read_end();
  close_write_end();
}

void Pipe::close_read_end() {
  if (read_end >= 0) close(take_read_end());
}

void Pipe::close_write_end() {
  if (write_end >= 0) close(take_write_end());
}

ssize_t write_to_pipe(int descriptor, const char* bytes, std::size_t count) {
  sigset_t pipe_signal, before, pending;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  sigpending(&pending);
  const bool was_pending = sigismember(&pending, SIGPIPE) == 1;
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  const ssize_t written = write(descriptor, bytes, count);
  const int error = errno;
  // The blocked signal is pending for this thread; remove it before unblocking.
  const timespec at_once{0, 0};
  if (written < 0 && error == EPIPE && !was_pending) sigtimedwait(&pipe_signal, nullptr, &at_once);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return written;
}

}  // namespace oddsbound::base
