// Files as text: regular files, pipes and standard input.
//
// Named files are opened without blocking. A pipe, or standard input, that has no data yet is polled until the time
// limit of the work. Some special files call themselves regular and still have nothing to read
// (/proc/kmsg); they are refused where a regular file would never make a reader wait.
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <vector>

#include "base/errors.h"
#include "base/wait.h"
#include "specs/reading.h"

namespace oddsbound::specs {

namespace {

using Clock = std::chrono::steady_clock;

struct OpenFile {
  int descriptor = STDIN_FILENO;
  bool is_pipe = false;     // a named one
  bool is_regular = false;  // by what the system says
  std::size_t size = 0;     // if that is known

  OpenFile() = default;
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor > STDIN_FILENO) close(descriptor);
  }
};

std::size_t most_bytes(const Limits& limits) { return limits.max_file_mb * 1024 * 1024; }

[[noreturn]] void fail_for_size(const SourcePlace& place, const std::string& what, const Limits& limits) {
  throw SpecError(place, what + " is larger than the limit (--max-file-mb " + std::to_string(limits.max_file_mb) + ")");
}

// Until when a pipe is waited for: as long as the work that needs the file may take.
Clock::time_point deadline_of(const Limits& limits) {
  const Budget* budget = Budget::current();
  const double seconds = std::min(budget == nullptr ? limits.max_seconds : budget->seconds_left(), 1e8);
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

// Refuses what is neither a regular file nor a pipe.
void set_kind(const struct stat& status, const SourcePlace& place, OpenFile& file) {
  if (S_ISDIR(status.st_mode)) throw SpecError(place, "this is a directory, expected a file");
  file.is_pipe = S_ISFIFO(status.st_mode);
  file.is_regular = S_ISREG(status.st_mode);
  if (!file.is_regular && !file.is_pipe) throw SpecError(place, "this is not a regular file");
}

// Does not wait for a writer. The kind is looked up before, since opening a device may change it, and again after:
// another file may have taken the name.
void open_file(const std::string& path, const SourcePlace& place, const Limits& limits, OpenFile& file) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) throw SpecError(place, std::strerror(errno));
  set_kind(status, place, file);
  file.descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file.descriptor < 0 || fstat(file.descriptor, &status) != 0) throw SpecError(place, std::strerror(errno));
  set_kind(status, place, file);
  if (file.is_regular) file.size = static_cast<std::size_t>(status.st_size);
  if (file.size > most_bytes(limits)) fail_for_size(place, "the file", limits);
}

// Standard input that people type is waited for without a limit.
bool has_limit(const OpenFile& file) { return file.descriptor != STDIN_FILENO || isatty(STDIN_FILENO) == 0; }

// False if all writers are gone. Throws LimitError at the deadline, and where a stop is asked for.
bool wait_for_data(const OpenFile& file, const std::string& name, Clock::time_point deadline, const Limits& limits) {
  constexpr auto kBetweenLooks = std::chrono::milliseconds(100);
  for (;;) {
    if (limits.stop.stop_requested()) Budget::fail_for_stop();
    const auto now = Clock::now();
    if (has_limit(file) && now >= deadline) {
      throw LimitError("nothing came through this pipe within the time limit (--max-seconds): " + name);
    }
    if (const short events = wait_to_read(file.descriptor, now + kBetweenLooks)) return (events & POLLIN) != 0;
  }
}

}  // namespace

std::string read_file(const std::string& path, const Limits& limits) {
  const bool standard_input = path == "-";
  const SourcePlace place{standard_input ? "<stdin>" : path, 0, 0, ""};
  OpenFile file;
  if (!standard_input) open_file(path, place, limits, file);
  const std::string name = printable(place.file, 400);
  const auto deadline = deadline_of(limits);
  std::string text;
  text.reserve(file.size);
  std::vector<char> block(std::size_t{1} << 20);
  for (;;) {
    if (!file.is_regular && !file.is_pipe) wait_for_data(file, name, deadline, limits);
    const ssize_t size = read(file.descriptor, block.data(), block.size());
    // A pipe ends alike before anybody opened it to write and after all have closed it.
    const bool nobody_yet = size == 0 && file.is_pipe && text.empty();
    if (size == 0 && !nobody_yet) return text;
    if (nobody_yet || (size < 0 && errno == EAGAIN)) {
      if (file.is_regular) throw SpecError(place, "this is not an ordinary file: it makes its readers wait");
      if (!wait_for_data(file, name, deadline, limits)) return text;
      continue;
    }
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) throw SpecError(place, std::strerror(errno));
    text.append(block.data(), static_cast<std::size_t>(size));
    if (text.size() > most_bytes(limits)) fail_for_size(place, "the text", limits);
  }
}

}  // namespace oddsbound::specs
