// Files as text: regular ones, pipes and standard input.
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <vector>

#include "base/wait.h"
#include "specs/reading.h"

namespace oddsbound::specs {

namespace {

struct OpenFile {
  int descriptor = STDIN_FILENO;
  bool is_pipe = false;
  std::size_t size = 0;  // if that is known

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
std::chrono::steady_clock::time_point deadline_of(const Limits& limits) {
  const Budget* budget = Budget::current();
  const double seconds = std::min(budget == nullptr ? limits.max_seconds : budget->seconds_left(), 1e8);
  return std::chrono::steady_clock::now() +
         std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
}

// Does not wait for somebody who writes.
void open_file(const std::string& path, const SourcePlace& place, const Limits& limits, OpenFile& file) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) throw SpecError(place, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) throw SpecError(place, "this is a directory, expected a file");
  file.is_pipe = S_ISFIFO(status.st_mode);
  if (!S_ISREG(status.st_mode) && !file.is_pipe) throw SpecError(place, "this is not a regular file");
  file.descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | (file.is_pipe ? O_NONBLOCK : 0));
  if (file.descriptor < 0) throw SpecError(place, std::strerror(errno));
  if (S_ISREG(status.st_mode)) file.size = static_cast<std::size_t>(status.st_size);
  if (file.size > most_bytes(limits)) fail_for_size(place, "the file", limits);
}

}  // namespace

std::string read_file(const std::string& path, const Limits& limits) {
  const bool standard_input = path == "-";
  const SourcePlace place{standard_input ? "<stdin>" : path, 0, 0, ""};
  OpenFile file;
  if (!standard_input) open_file(path, place, limits, file);
  const auto deadline = deadline_of(limits);
  std::string text;
  text.reserve(file.size);
  std::vector<char> block(std::size_t{1} << 20);
  for (;;) {
    const ssize_t size = read(file.descriptor, block.data(), block.size());
    // A pipe ends alike before anybody opened it to write and after all have closed it.
    const bool nobody_yet = size == 0 && file.is_pipe && text.empty();
    if (size == 0 && !nobody_yet) return text;
    if (nobody_yet || (size < 0 && errno == EAGAIN)) {
      const short events = wait_to_read(file.descriptor, deadline);
      if (events == 0) throw SpecError(place, "nothing came through this pipe within the time limit (--max-seconds)");
      if ((events & POLLIN) == 0) return text;
      continue;
    }
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) throw SpecError(place, std::strerror(errno));
    text.append(block.data(), static_cast<std::size_t>(size));
    if (text.size() > most_bytes(limits)) fail_for_size(place, "the text", limits);
  }
}

}  // namespace oddsbound::specs
