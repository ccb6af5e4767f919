#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "specs/spec_error.h"

namespace oddsbound {

Progress::Progress() : terminal_(isatty(STDERR_FILENO) != 0), start_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
  if (shown_) std::fputs("\r\x1b[K", stderr);
}

void Progress::show(std::size_t done, std::size_t total, const std::string& what) {
  if (!terminal_ || std::chrono::steady_clock::now() - start_ < std::chrono::seconds(1)) return;
  shown_ = true;
  fmt::print(stderr, "\r\x1b[K[{}/{}] {}", done, total, printable(what, 60));
  std::fflush(stderr);
}

}  // namespace oddsbound
