#include "audits/runner.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <numeric>

#include "base/child.h"
#include "mechanisms/random/choice.h"
#include "specs/spec_error.h"

namespace oddsbound::audits {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLongestLine = std::size_t{64} << 20;
constexpr std::size_t kKeptComplaints = 2000;
constexpr int kMillisecondsToEnd = 150;

std::string seconds_words(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", seconds);
  return std::string(text) + " second" + (seconds == 1 ? "" : "s");
}

}  // namespace

Program::Program(const std::string& command, const ProgramLimits& limits) : limits_(limits) {
  Pipe input, output, errors;
  // Without a shell in between, a simple command dies with this process.
  const std::string line = (command.find_first_of(";&|<>()`$\n") == std::string::npos ? "exec " : "") + command;
  child_.emplace(Launch{.arguments = {"sh", "-c", line},
                        .path = "/bin/sh",
                        .input = input.read_end,
                        .output = output.write_end,
                        .errors = errors.write_end,
                        .directory = limits.directory,
                        .memory_mb = limits.memory_mb});
  to_child_ = input.take_write_end();
  from_child_ = output.take_read_end();
  errors_ = errors.take_read_end();
  for (const int end : {to_child_, from_child_, errors_}) fcntl(end, F_SETFL, O_NONBLOCK);
  fcntl(from_child_, F_SETPIPE_SZ, 1 << 20);  // lets it continue while its last answer is read; may fail
}

Program::~Program() {
  if (to_child_ >= 0) close(to_child_);
  if (child_) child_->wait(kMillisecondsToEnd);
  child_.reset();
  for (const int end : {from_child_, errors_}) {
    if (end >= 0) close(end);
  }
}

// Reads available data; false at the end of the stream.
bool Program::read_some(int& descriptor, std::string& buffer) {
  char bytes[65536];
  const ssize_t size = read(descriptor, bytes, sizeof bytes);
  if (size > 0) {
    buffer.append(bytes, static_cast<std::size_t>(size));
    return true;
  }
  if (size < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  close(descriptor);
  descriptor = -1;
  return false;
}

std::string Program::last_words() const {
  std::size_t end = complaints_.find_last_not_of(" \r\n\t");
  if (end == std::string::npos) return "";
  const std::size_t begin = complaints_.find_last_of('\n', end) + 1;  // npos + 1 is 0
  return "; its last words: " + printable(complaints_.substr(begin, end - begin + 1), 200);
}

void Program::fail_ended() {
  while (errors_ >= 0) {
    pollfd ready{errors_, POLLIN, 0};
    if (poll(&ready, 1, 100) <= 0 || !read_some(errors_, complaints_)) break;
  }
  std::string how = "closed its output";
  if (const std::optional<int> status = child_->wait(kMillisecondsToEnd)) {
    if (WIFEXITED(*status)) how = "ended with status " + std::to_string(WEXITSTATUS(*status));
    if (WIFSIGNALED(*status)) how = std::string("was killed: ") + strsignal(WTERMSIG(*status));
  }
  throw ProgramError("the program " + how + " before it had answered" + last_words());
}

// Waits until something can be read or written, and does so.
void Program::exchange(int milliseconds) {
  pollfd ready[3] = {
      {from_child_, POLLIN, 0}, {errors_, POLLIN, 0}, {sent_ < outgoing_.size() ? to_child_ : -1, POLLOUT, 0}};
  const int count = poll(ready, 3, milliseconds);
  if (count <= 0) return;
  if (ready[1].revents != 0) {
    read_some(errors_, complaints_);
    if (complaints_.size() > 2 * kKeptComplaints) complaints_.erase(0, complaints_.size() - kKeptComplaints);
  }
  if ((ready[2].revents & (POLLOUT | POLLERR)) != 0) {
    const ssize_t size = write_to_pipe(to_child_, outgoing_.data() + sent_, outgoing_.size() - sent_);
    if (size > 0) sent_ += static_cast<std::size_t>(size);
    if (size < 0 && errno != EINTR && errno != EAGAIN) {
      // It no longer reads. Its remaining output may explain why.
      outgoing_.clear();
      sent_ = 0;
    }
    if (sent_ == outgoing_.size()) {
      outgoing_.clear();
      sent_ = 0;
    }
  }
  if (ready[0].revents != 0 && !read_some(from_child_, incoming_)) fail_ended();
}

bool Program::has_more() {
  exchange(0);
  return incoming_.find_first_not_of(" \t\r\n", begin_) != std::string::npos;
}

std::string Program::next_line(double seconds) {
  const bool short_of_time = seconds < limits_.answer_seconds;
  const double search_limits = std::min({seconds, limits_.answer_seconds, 1e8});
  const auto deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(search_limits));
  for (;;) {
    const std::size_t end = incoming_.find('\n', scanned_);
    if (end != std::string::npos) {
      std::string line = incoming_.substr(begin_, end - begin_);
      begin_ = scanned_ = end + 1;
      if (begin_ > (1 << 20) && begin_ * 2 > incoming_.size()) {
        incoming_.erase(0, begin_);
        begin_ = scanned_ = 0;
      }
      if (!line.empty() && line.back() == '\r') line.pop_back();
      return line;
    }
    scanned_ = incoming_.size();
    if (incoming_.size() - begin_ > kLongestLine) {
      throw ProgramError("the program wrote a line of more than 64 MB");
    }
    if (Clock::now() >= deadline) {
      if (short_of_time) throw ProgramError(kOutOfTime, true);
      throw ProgramError("the program gave no answer within " + seconds_words(limits_.answer_seconds) +
                         " (--program-seconds)" + last_words());
    }
    exchange(100);
  }
}

namespace {

constexpr std::size_t kMostInputsAsked = 4;
constexpr std::uint64_t kMostSmallRequests = 256;  // per input

std::uint64_t small_size(RandomSource& source) {
  const std::uint64_t sort = UniformBelow(16).run(source);
  if (sort < 6) return 1;
  if (sort < 9) return 2;
  return 3 + UniformBelow(kLargestSmallRequest - 2).run(source);
}

}  // namespace

std::vector<PlannedRequest> plan_requests(std::span<const Runs> runs, std::uint64_t runs_for_each,
                                          std::uint64_t cut_from, RandomSource& source) {
  std::vector<std::size_t> most(runs.size());
  std::iota(most.begin(), most.end(), std::size_t{0});
  std::stable_sort(most.begin(), most.end(),
                   [&](std::size_t a, std::size_t b) { return runs[a].count > runs[b].count; });
  std::vector<std::uint64_t> left;
  for (const Runs& part : runs) left.push_back(part.count);
  // A unit is a small request, a large request, or two consecutive halves of a large one.
  std::vector<PlannedRequest> units;
  for (std::size_t i = 0; i < std::min(kMostInputsAsked, most.size()); ++i) {
    const Runs& part = runs[most[i]];
    const std::uint64_t requests = std::min(kMostSmallRequests, part.count / runs_for_each);
    for (std::uint64_t r = 0; r < requests; ++r) {
      const std::uint64_t size = small_size(source);
      if (size + 1 > left[most[i]]) break;
      left[most[i]] -= size;
      units.push_back({{part.input, size, part.who}, true, false});
    }
  }
  for (std::size_t i = 0; i < runs.size(); ++i) units.push_back({{runs[i].input, left[i], runs[i].who}, false, false});
  for (std::size_t i = units.size(); i > 1; --i) std::swap(units[i - 1], units[UniformBelow(i).run(source)]);
  std::vector<PlannedRequest> requests;
  for (PlannedRequest& unit : units) {
    const std::uint64_t count = unit.runs.count;
    if (unit.small || count < cut_from) {
      requests.push_back(std::move(unit));
      continue;
    }
    PlannedRequest second = unit;
    unit.runs.count = count - count / 2;
    second.runs.count = count / 2;
    second.second = true;
    requests.push_back(std::move(unit));
    requests.push_back(std::move(second));
  }
  return requests;
}

}  // namespace oddsbound::audits
