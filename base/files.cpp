#include "base/files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/characters.h"

namespace oddsbound::base {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestPath = 400;  // in a message
// So many may write one file at once.
constexpr int kMostParts = 64;

[[noreturn]] void cannot_write(const std::string& path, const std::string& reason) {
  throw std::runtime_error("cannot write " + printable(path, kLongestPath) + ": " + reason);
}
[[noreturn]] void cannot_write(const std::string& path, int error) {
  cannot_write(path, std::strerror(error == 0 ? EIO : error));
}

// Closed where it goes.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }
  // The error of what was written before, 0 for none.
  int close() { return ::close(std::exchange(number_, -1)) == 0 ? 0 : errno; }

 private:
  int number_;
};

// The error, 0 for none.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

// What the system still holds of a file goes to the disk. The error, 0 for none.
int sync(int file) {
  // EINVAL: it is on something that holds nothing back.
  return fsync(file) == 0 || errno == EINVAL ? 0 : errno;
}

// A folder holds the names of its files: a machine that fails could forget a new one.
int sync_folder(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  const Descriptor opened(open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // A folder may be for writing alone.
  if (!opened.is_open()) return errno == EACCES ? 0 : errno;
  return sync(opened.number());
}

// A name of something that is open already, and may be a file that others have written to.
bool is_open_file(const std::string& path) {
  return path == "/dev/stdout" || path == "/dev/stderr" || path.starts_with("/dev/fd/") || path.starts_with("/proc/");
}

void append(const std::string& path, const std::string& text) {
  Descriptor file(open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  if (!file.is_open()) cannot_write(path, errno);
  if (const int error = write_all(file.number(), text)) cannot_write(path, error);
  if (const int error = file.close()) cannot_write(path, error);
}

std::string part_of(const std::string& target, int number) {
  return target + ".oddsbound-part-" + std::to_string(number);
}

// Removes a part that a process left which was killed in the midst of writing it. Whoever writes one has it locked, so
// what can be locked is nobody's any more. True if the name is free now.
bool remove_left_over(const std::string& part) {
  const Descriptor file(open(part.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.is_open()) return errno == ENOENT;
  struct stat status {};
  if (fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  if (flock(file.number(), LOCK_EX | LOCK_NB) != 0 || !is_file_at(part, file.number())) return false;
  return unlink(part.c_str()) == 0;
}

// A file that is being written beside its target, under a name that nobody else has.
class PartFile {
 public:
  // Removes all that others left of the target before.
  PartFile(const std::string& target, mode_t mode) {
    for (int number = 1; number <= kMostParts; ++number) {
      const std::string part = part_of(target, number);
      if (remove_left_over(part) && !file_) create(target, part, mode);
    }
    if (!file_) cannot_write(target, "too many others are writing it");
  }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  ~PartFile() {
    if (!path_.empty()) unlink(path_.c_str());
  }

  int number() const { return file_->number(); }
  // The error, 0 for none.
  int rename_to(const std::string& target) {
    if (std::rename(path_.c_str(), target.c_str()) != 0) return errno;
    path_.clear();
    return 0;
  }

 private:
  // O_EXCL: what somebody else has put there, a link among others, is never written to.
  void create(const std::string& target, const std::string& part, mode_t mode) {
    Descriptor file(open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (!file.is_open()) {
      if (errno == EEXIST || errno == ELOOP) return;
      cannot_write(target, errno);
    }
    // Where files cannot be locked, what is left over is not removed.
    flock(file.number(), LOCK_EX);
    // It may have been taken for a left-over one just before.
    if (!is_file_at(part, file.number())) return;
    file_.emplace(std::move(file));
    path_ = part;
  }

  std::optional<Descriptor> file_;
  std::string path_;
};

}  // namespace

bool is_file_at(const std::string& path, int descriptor) {
  struct stat opened {
  }, named{};
  return fstat(descriptor, &opened) == 0 && lstat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

std::string target_of(const std::string& path) {
  constexpr int kMostLinks = 40;  // as the system has it
  std::error_code error;
  fs::path target = path;
  for (int links = 0; fs::is_symlink(fs::symlink_status(target, error)); ++links) {
    if (links == kMostLinks) cannot_write(path, "too many symbolic links");
    target = target.parent_path() / fs::read_symlink(target, error);
  }
  return target.string();
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error) && !error) return true;
  // Of files that are not there yet: the folders are looked up, and links that lead nowhere are followed.
  const auto identity = [&](const std::string& path) {
    return fs::weakly_canonical(fs::absolute(target_of(path), error), error);
  };
  const fs::path one = identity(a);
  return !one.empty() && one == identity(b);
}

void write_whole(const std::string& path, const std::string& text) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) cannot_write(path, "it is a directory");
  if (is_open_file(path) || (fs::exists(status) && !fs::is_regular_file(status))) return append(path, text);
  // Links stay links.
  const std::string target = target_of(path);
  // What replaces a file is never readable to more than that was.
  constexpr mode_t kPermissions = 07777, kOfNewFile = 0666;
  const auto permissions = static_cast<mode_t>(status.permissions()) & kPermissions;
  PartFile part(target, fs::exists(status) ? permissions & kOfNewFile : kOfNewFile);
  if (const int error = write_all(part.number(), text)) cannot_write(path, error);
  if (fs::exists(status)) (void)!fchmod(part.number(), permissions);
  // Before it is renamed, or a machine that fails could leave the new name with nothing in it.
  if (const int error = sync(part.number())) cannot_write(path, error);
  if (const int error = part.rename_to(target)) cannot_write(path, error);
  if (const int error = sync_folder(target)) cannot_write(path, error);
}

void make_directory(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) {
    throw std::runtime_error("cannot make the directory " + printable(path, kLongestPath) + ": " + error.message());
  }
}

}  // namespace oddsbound::base
