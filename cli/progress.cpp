#include "cli/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "cli/common.h"
#include "specs/spec_error.h"

namespace oddsbound {

namespace {

std::size_t width_of_terminal() {
  constexpr std::size_t kLeast = 80;
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? std::max<std::size_t>(size.ws_col, kLeast) : kLeast;
}

}  // namespace

Progress::Progress() {
  if (cli::is_terminal(STDERR_FILENO)) drawer_ = std::thread([this] { draw(); });
}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ended_changed_.notify_all();
  if (drawer_.joinable()) drawer_.join();
}

void Progress::set(std::size_t begun, std::size_t total, const std::string& what) {
  const std::lock_guard lock(mutex_);
  begun_ = begun;
  total_ = total;
  what_ = what;
}

void Progress::draw() {
  const auto start = std::chrono::steady_clock::now();
  auto wait = std::chrono::milliseconds(1000);
  bool drawn = false;
  std::unique_lock lock(mutex_);
  while (!ended_changed_.wait_for(lock, wait, [this] { return ended_; })) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start);
    cli::steer_terminal(fmt::format("\r\x1b[K[{}/{}] {} ({} s)", begun_, total_,
                                    printable(what_, width_of_terminal() - 20), seconds.count()));
    std::fflush(stderr);
    drawn = true;
    wait = std::chrono::milliseconds(200);
  }
  if (drawn) cli::steer_terminal("\r\x1b[K");
}

}  // namespace oddsbound
