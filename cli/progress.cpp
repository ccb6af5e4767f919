#include "cli/progress.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "cli/common.h"
#include "cli/shared_run.h"
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

namespace {

constexpr char kInterrupted = 'i';
constexpr char kEnded = 'e';

std::atomic<int> write_end = -1;

void pass_on(int) {
  const int error = errno;
  [[maybe_unused]] const ssize_t written = ::write(write_end, &kInterrupted, 1);
  errno = error;
}

}  // namespace

Interrupt::Interrupt() {
  if (sigaction(SIGINT, nullptr, &before_) != 0) return;
  pipe_.emplace();
  write_end = pipe_->write_end;
  watcher_ = std::thread([this] { watch(); });
  struct sigaction action {};
  action.sa_handler = pass_on;
  // SA_RESETHAND: a second signal has its default effect and ends the program.
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  // A shell makes its background jobs ignore SIGINT.
  if (before_.sa_handler != SIG_IGN) sigaction(SIGINT, &action, nullptr);
  // Batch schedulers send SIGTERM when a job's time is up.
  sigaction(SIGTERM, &action, &before_end_);
}

Interrupt::~Interrupt() {
  if (!watcher_.joinable()) return;
  sigaction(SIGINT, &before_, nullptr);
  sigaction(SIGTERM, &before_end_, nullptr);
  [[maybe_unused]] const ssize_t written = ::write(pipe_->write_end, &kEnded, 1);
  watcher_.join();
}

void Interrupt::watch() {
  char what = kEnded;
  ssize_t size = 0;
  while ((size = ::read(pipe_->read_end, &what, 1)) < 0 && errno == EINTR) {
  }
  if (size != 1 || what != kInterrupted) return;
  // mpirun ends all processes if one is lost, and does not wait for long.
  cli::tell(cli::is_one_of_several()
                ? "\nstopping, to write what is known: the run was ended, or one of its processes was lost\n"
                : "\nstopping, to write what is known; once more ends the program at once\n");
  stop_.request_stop();
}

}  // namespace oddsbound
