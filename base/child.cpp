#include "base/child.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <stdexcept>

#include "base/budget.h"
#include "base/sanitizer.h"
#include "base/wait.h"

namespace oddsbound {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostOutput = std::size_t{64} << 20;

// Reads until the other end is closed; false at the deadline, or if there is too much of it.
bool collect(int input, Clock::time_point deadline, std::string& output) {
  char buffer[65536];
  for (;;) {
    if (wait_to_read(input, deadline) == 0) return false;
    const ssize_t size = read(input, buffer, sizeof buffer);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return size == 0;
    output.append(buffer, static_cast<std::size_t>(size));
    if (output.size() > kMostOutput) return false;
  }
}

}  // namespace

void prepare_child([[maybe_unused]] std::uint64_t memory_mb) {
  Budget::forget();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#ifndef ODDSBOUND_ADDRESS_SANITIZER
  // Under the address sanitizer the address space says nothing about the memory in use.
  const rlim_t most = static_cast<rlim_t>(memory_mb) << 20;
  const rlimit limit{most, most};
  setrlimit(RLIMIT_DATA, &limit);
#endif
  const rlimit no_dumps{0, 0};
  setrlimit(RLIMIT_CORE, &no_dumps);
}

ChildResult run_in_child(const std::function<void(int)>& work, const ChildLimits& limits) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
  const auto start = Clock::now();
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
  }
  if (child == 0) {
    prepare_child(limits.memory_mb);
    if (getppid() != parent) _exit(1);
    int status = 0;
    try {
      work(ends[1]);
    } catch (...) {
      status = 1;
    }
    _exit(status);
  }
  close(ends[1]);
  ChildResult result;
  const auto patience = std::chrono::duration<double>(std::min(limits.seconds, 1e8));
  const bool closed = collect(ends[0], start + std::chrono::duration_cast<Clock::duration>(patience), result.output);
  close(ends[0]);
  if (!closed) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  const bool well = closed && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  result.end = well ? ChildResult::End::kFinished : (closed ? ChildResult::End::kDied : ChildResult::End::kDeadline);
  return result;
}

ChildResult run_program(const std::vector<std::string>& arguments, const ChildLimits& limits) {
  std::vector<char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  return run_in_child(
      [&](int output) {
        dup2(output, STDOUT_FILENO);
        execvp(pointers[0], pointers.data());
        _exit(127);
      },
      limits);
}

bool program_exists(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::stringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!folder.empty() && access((folder + "/" + name).c_str(), X_OK) == 0) return true;
  }
  return false;
}

}  // namespace oddsbound
