#include "specs/source_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/evp.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "base/child.h"
#include "base/errors.h"
#include "specs/csv.h"
#include "specs/reading.h"
#include "verifier/exact/expression.h"

namespace oddsbound::specs {

namespace {

bool is_free_text(std::string_view key) { return key == "name" || key == "description" || key == "source"; }

std::string quoted(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string listed(const std::vector<std::string>& parts, char open, char close) {
  std::string text(1, open);
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i > 0 ? "," : "") + parts[i];
  return text + close;
}

using Keeps = bool (*)(std::string_view key);

std::string object_text(JsonView object, Keeps keeps, std::string (*text_of)(std::string_view key, JsonView value)) {
  std::map<std::string, std::string> members;
  for (const JsonView::Member& member : object.members()) {
    if (keeps(member.key.text())) members[quoted(member.key.text())] = text_of(member.key.text(), member.value);
  }
  std::vector<std::string> parts;
  for (const auto& [key, value] : members) parts.push_back(std::string(key).append(":").append(value));
  return listed(parts, '{', '}');
}

bool keeps_all(std::string_view) { return true; }

// Claims without their names.
std::string claims_text(JsonView claims) {
  std::vector<std::string> parts;
  for (const JsonView& claim : claims.items()) {
    const Keeps keeps = [](std::string_view key) { return key != "name"; };
    parts.push_back(claim.is_object() ? object_text(claim, keeps, [](auto, JsonView v) { return canonical_json(v); })
                                      : canonical_json(claim));
  }
  return listed(parts, '[', ']');
}

}  // namespace

std::string sha256_base64(std::string_view bytes) {
  const Digest digest = digest_of(bytes);
  std::array<unsigned char, 48> text;
  const int size = EVP_EncodeBlock(text.data(), digest.data(), digest.size());
  return {text.begin(), text.begin() + size};
}

std::string canonical_json(JsonView value) {
  switch (value.kind()) {
    case JsonKind::kObject:
      return object_text(value, keeps_all, [](auto, JsonView member) { return canonical_json(member); });
    case JsonKind::kArray: {
      std::vector<std::string> parts;
      for (const JsonView& item : value.items()) parts.push_back(canonical_json(item));
      return listed(parts, '[', ']');
    }
    case JsonKind::kNumber: try { return parse_number(value.text()).to_string();
      } catch (const Interrupted&) {
        throw;
      } catch (const std::runtime_error& error) {
        value.fail(error.what());
      }
    case JsonKind::kString: return quoted(value.text());
    case JsonKind::kBoolean:
    case JsonKind::kNull: break;
  }
  return std::string(value.text());
}

std::string content_hash(const JsonDocument& spec) {
  if (!spec.root().is_object()) return sha256(canonical_json(spec.root()));
  const Keeps keeps = [](std::string_view key) { return !is_free_text(key); };
  return sha256(object_text(spec.root(), keeps, [](std::string_view key, JsonView value) {
    return key == "claims" && value.is_array() ? claims_text(value) : canonical_json(value);
  }));
}

std::string table_hash(const std::string& file, std::string_view text, Budget& budget, char separator) {
  return sha256(csv_with_line_feeds(file, text, budget, separator));
}

// Files as text: regular files, pipes and standard input
//
// Named files are opened without blocking. A pipe or standard input without data is polled until the time limit. Some
// special files claim to be regular and still block (/proc/kmsg). They are rejected where a regular file would return
// data.

namespace {

using Clock = std::chrono::steady_clock;

struct OpenFile {
  int descriptor = STDIN_FILENO;
  bool is_pipe = false;     // named pipe
  bool is_regular = false;  // according to stat
  std::size_t size = 0;     // 0 if unknown

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

// The deadline for a pipe: the remaining time of the current budget.
Clock::time_point deadline_of(const Limits& limits) {
  const Budget* budget = Budget::current();
  const double seconds = std::min(budget == nullptr ? limits.max_seconds : budget->seconds_left(), 1e8);
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

// Rejects everything except regular files and pipes.
void set_kind(const struct stat& status, const SourcePlace& place, OpenFile& file) {
  if (S_ISDIR(status.st_mode)) throw SpecError(place, "this is a directory, expected a file");
  file.is_pipe = S_ISFIFO(status.st_mode);
  file.is_regular = S_ISREG(status.st_mode);
  if (!file.is_regular && !file.is_pipe) throw SpecError(place, "this is not a regular file");
}

// Opens without waiting for a writer. Checks the kind before opening, because opening a device may change it, and
// again afterwards, because another file may have taken the name.
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

// Interactive standard input has no time limit.
bool has_limit(const OpenFile& file) { return file.descriptor != STDIN_FILENO || isatty(STDIN_FILENO) == 0; }

// Waits for data; false if all writers have closed. Throws LimitError at the deadline, and stops on request.
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
    // read() returns 0 both before the first writer opens a pipe and after the last one closes it.
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

Bytes digests_of(const std::vector<SourceFile>& files) {
  BinaryWriter writer;
  for (const SourceFile& file : files) writer.put(file.file).put(file.sha256);
  return writer.take();
}

}  // namespace oddsbound::specs
