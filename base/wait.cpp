#include "base/wait.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>

namespace oddsbound::base {

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

ssize_t write_to_pipe(int descriptor, const char* bytes, std::size_t count) {
  sigset_t pipe_signal, before, pending;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  sigpending(&pending);
  const bool was_pending = sigismember(&pending, SIGPIPE) == 1;
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  const ssize_t written = write(descriptor, bytes, count);
  const int error = errno;
  // The signal is this thread's own, and waits while it is blocked: it is taken away before that ends.
  const timespec at_once{0, 0};
  if (written < 0 && error == EPIPE && !was_pending) sigtimedwait(&pipe_signal, nullptr, &at_once);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return written;
}

}  // namespace oddsbound::base
