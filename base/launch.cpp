#include "base/launch.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <stdexcept>

#include "base/sanitizer.h"

namespace oddsbound::base {

namespace {

// As a shell reports them.
constexpr int kNoDirectory = 126;
constexpr int kNoProgram = 127;

// Out of the way of the standard ones: a process that closed some of these may get pipes in their place.
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
  // What this process ignores, a program would go on to ignore.
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
  // Where this process does something at Ctrl-C, which the terminal sends to both, the child is its affair.
  struct sigaction interrupt {};
  if (sigaction(SIGINT, nullptr, &interrupt) == 0 && interrupt.sa_handler != SIG_DFL) std::signal(SIGINT, SIG_IGN);
#ifndef ODDSBOUND_ADDRESS_SANITIZER
  // Under the address sanitizer the address space says nothing about the memory in use.
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

}  // namespace oddsbound::base
