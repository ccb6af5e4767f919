#include "base/wait.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>

namespace oddsbound {

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

}  // namespace oddsbound
