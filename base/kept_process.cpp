#include "base/kept_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <stdexcept>

namespace oddsbound::base {

namespace {

constexpr int kNotStarted = 127 << 8;    // the status that a shell uses
constexpr int kMostAttempts = 2000;      // to kill what is left, about 1 ms each
constexpr int kMostDescriptors = 65536;  // closed one by one if the kernel has no close_range

// Everything below runs in the keeper. It was forked from a process that may have threads, so nothing here may take a
// lock.

void close_all_but(int kept) {
  const auto close_range = [](unsigned first, unsigned last) {
    if (first > last || ::close_range(first, last, 0) == 0) return;
    rlimit most{};
    getrlimit(RLIMIT_NOFILE, &most);
    const auto end = std::min<rlim_t>({most.rlim_cur, kMostDescriptors, rlim_t{last} + 1});
    for (rlim_t one = first; one < end; ++one) close(static_cast<int>(one));
  };
  close_range(0, static_cast<unsigned>(kept) - 1);
  close_range(static_cast<unsigned>(kept) + 1, ~0U);
}

void kill_children() {
  const int list = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (list < 0) return;
  char text[4096];
  pid_t child = 0;
  for (ssize_t size = read(list, text, sizeof text); size > 0; size = read(list, text, sizeof text)) {
    for (ssize_t i = 0; i < size; ++i) {
      if (text[i] >= '0' && text[i] <= '9') {
        child = child * 10 + (text[i] - '0');
      } else if (child > 0) {
        kill(child, SIGKILL);
        child = 0;
      }
    }
  }
  close(list);
}

// Reaps every child that has ended. Returns whether any children are left.
bool reap(pid_t program, int tell) {
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(-1, &status, WNOHANG);
    if (ended <= 0) return ended == 0;
    // The write fails if the reader is gone. Then nobody needs the status.
    if (ended == program && write(tell, &status, sizeof status) < 0) continue;
  }
}

[[noreturn]] void keep(pid_t program, int tell, const sigset_t& awaited) {
  for (int signal = 0; signal != SIGTERM;) {
    reap(program, tell);
    signal = sigwaitinfo(&awaited, nullptr);
  }
  bool reaped = false;
  for (int i = 0; i < kMostAttempts; ++i) {
    // Once the program is reaped, its process number may be reused. Its group number is not, while the group has
    // members.
    if (!reaped) kill(program, SIGKILL);
    kill(-program, SIGKILL);
    kill_children();
    if (!reap(program, tell)) break;
    reaped = true;
    const timespec millisecond{0, 1'000'000};
    nanosleep(&millisecond, nullptr);
  }
  _exit(0);
}

[[noreturn]] void become_keeper(const PreparedLaunch& ready, pid_t parent, int tell) {
  sigset_t all, before, awaited;
  sigfillset(&all);
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGTERM);
  sigaddset(&awaited, SIGCHLD);
  sigprocmask(SIG_BLOCK, &all, &before);
  // sigwaitinfo does not return signals that are ignored.
  std::signal(SIGTERM, SIG_DFL);
  std::signal(SIGCHLD, SIG_DFL);
  setpgid(0, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(0);
  const pid_t keeper = getpid();
  const pid_t program = fork();
  if (program == 0) {
    setpgid(0, 0);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    ready.become(keeper);
  }
  close_all_but(tell);
  if (program < 0) {
    const int status = kNotStarted;
    _exit(write(tell, &status, sizeof status) < 0 ? 1 : 0);
  }
  setpgid(program, program);
  keep(program, tell, awaited);
}

}  // namespace

KeptProcess::KeptProcess(const Launch& what) {
  const PreparedLaunch ready(what);
  Pipe pipe;
  const pid_t parent = getpid();
  keeper_ = fork();
  if (keeper_ == 0) become_keeper(ready, parent, pipe.write_end);
  const int reason = errno;
  if (keeper_ > 0) {
    told_ = pipe.take_read_end();
    return;
  }
  throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(reason));
}

KeptProcess::~KeptProcess() {
  kill(keeper_, SIGTERM);
  while (waitpid(keeper_, nullptr, 0) < 0 && errno == EINTR) {
  }
  close(told_);
}

std::optional<int> KeptProcess::wait(int milliseconds) {
  pollfd ready{told_, POLLIN, 0};
  int status = 0;
  if (!status_ && poll(&ready, 1, milliseconds) > 0 && read(told_, &status, sizeof status) == sizeof status) {
    status_ = status;
  }
  return status_;
}

}  // namespace oddsbound::base
