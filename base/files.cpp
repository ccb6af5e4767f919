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
// Maximum number of processes that write one file at the same time.
constexpr int kMostParts = 64;

[[noreturn]] void cannot_write(const std::string& path, const std::string& reason) {
  throw std::runtime_error("cannot write " + printable(path, kLongestPath) + ": " + reason);
}
[[noreturn]] void cannot_write(const std::string& path, int error) {
  cannot_write(path, std::strerror(error == 0 ? EIO : error));
}

// A file descriptor, closed by the destructor.
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
  // Returns the error of close(2), which may report earlier writes; 0 for none.
  int close() { return ::close(std::exchange(number_, -1)) == 0 ? 0 : errno; }

 private:
  int number_;
};

// Returns the error, 0 for none.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

// Flushes the file to the disk. Returns the error, 0 for none.
int sync(int file) {
  // EINVAL: the file is on something that does not buffer.
  return fsync(file) == 0 || errno == EINVAL ? 0 : errno;
}

// Flushes a file's name, which its folder holds: after a crash a new name could be missing.
int sync_folder(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  const Descriptor opened(open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // A folder may be writable but not readable.
  if (!opened.is_open()) return errno == EACCES ? 0 : errno;
  return sync(opened.number());
}

// True for names of open descriptors, which may be files that others have written to.
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

// Removes a part file that a killed process left behind. A writer holds a lock on its part file, so one that can
// be locked is abandoned. Returns true if the name is free now.
bool remove_left_over(const std::string& part) {
  const Descriptor file(open(part.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.is_open()) return errno == ENOENT;
  struct stat status {};
  if (fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  if (flock(file.number(), LOCK_EX | LOCK_NB) != 0 || !is_file_at(part, file.number())) return false;
  return unlink(part.c_str()) == 0;
}

// A file that is being written beside its target, under a unique name.
class PartFile {
 public:
  // Removes all abandoned part files of the target.
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
  // Returns the error, 0 for none.
  int rename_to(const std::string& target) {
    if (std::rename(path_.c_str(), target.c_str()) != 0) return errno;
    path_.clear();
    return 0;
  }

 private:
  // O_EXCL: never writes to an existing file or link that someone else put there.
  void create(const std::string& target, const std::string& part, mode_t mode) {
    Descriptor file(open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (!file.is_open()) {
      if (errno == EEXIST || errno == ELOOP) return;
      cannot_write(target, errno);
    }
    // If files cannot be locked, abandoned part files are not removed.
    flock(file.number(), LOCK_EX);
    // Another process may have removed it as abandoned before it was locked.
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
  constexpr int kMostLinks = 40;  // the system's limit
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
  // For files that do not exist yet: resolves their folders and follows dangling links.
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
  // Symbolic links stay links.
  const std::string target = target_of(path);
  // The new file is never readable to more users than the old one.
  constexpr mode_t kPermissions = 07777, kOfNewFile = 0666;
  const auto permissions = static_cast<mode_t>(status.permissions()) & kPermissions;
  PartFile part(target, fs::exists(status) ? permissions & kOfNewFile : kOfNewFile);
  if (const int error = write_all(part.number(), text)) cannot_write(path, error);
  if (fs::exists(status)) (void)!fchmod(part.number(), permissions);
  // Flush before the rename: otherwise a crash could leave the new name with an empty file.
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

namespace {

[[noreturn]] void fail(const std::string& file, int error) {
  throw std::runtime_error("cannot lock with " + printable(file, 400) + ": " + std::strerror(error));
}

}  // namespace

std::optional<FileLock> FileLock::take(const std::string& path) { return acquire(path, false); }

FileLock FileLock::wait(const std::string& path) { return *acquire(path, true); }

std::optional<FileLock> FileLock::acquire(const std::string& path, bool waits) {
  const std::string file = target_of(path) + ".lock";
  while (true) {
    constexpr mode_t kMode = 0666;
    const int descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kMode);
    if (descriptor < 0) fail(file, errno);
    struct stat opened {};
    if (fstat(descriptor, &opened) == 0 && opened.st_size > 0) {
      close(descriptor);
      throw std::runtime_error("cannot lock with " + printable(file, 400) +
                               ": it is a file of another kind, with content");
    }
    FileLock lock(file, descriptor);
    if (flock(descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB) != 0) {
      const int error = errno;
      close(std::exchange(lock.descriptor_, -1));
      if (!waits && error == EWOULDBLOCK) return std::nullopt;
      fail(file, error);
    }
    // The previous holder may have removed the file after it was opened here; others would then lock a new one.
    if (is_file_at(file, descriptor)) return lock;
    close(std::exchange(lock.descriptor_, -1));
  }
}

FileLock::~FileLock() {
  if (descriptor_ < 0) return;
  // Keep a file that someone else has put there meanwhile.
  if (is_file_at(file_, descriptor_)) unlink(file_.c_str());
  close(descriptor_);
}

namespace {

namespace fs = std::filesystem;

constexpr int kMostFolderParts = 64;  // that write one folder at the same time

[[noreturn]] void cannot_write_folder(const std::string& path, const std::string& reason) {
  throw std::runtime_error("cannot write the folder " + printable(path, 400) + ": " + reason);
}

// The folder that is being filled, under a temporary name beside its target. It is locked while its process lives,
// so that others can remove what a killed process left.
class PartFolder {
 public:
  explicit PartFolder(const std::string& target) {
    for (int number = 1; number <= kMostFolderParts && lock_ < 0; ++number) {
      path_ = target + ".oddsbound-part-" + std::to_string(number);
      remove_left_over();
      if (mkdir(path_.c_str(), 0777) != 0) {
        if (errno == EEXIST) continue;
        cannot_write_folder(target, std::strerror(errno));
      }
      lock_ = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
      if (lock_ >= 0) flock(lock_, LOCK_EX | LOCK_NB);
    }
    if (lock_ < 0) cannot_write_folder(target, "too many others are writing it");
  }
  PartFolder(const PartFolder&) = delete;
  PartFolder& operator=(const PartFolder&) = delete;
  // Removes what has the temporary name: after a failure the unfinished folder, after an exchange the old one.
  ~PartFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    ::close(lock_);
  }
  const std::string& path() const { return path_; }

 private:
  void remove_left_over() {
    const int folder = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (folder < 0) return;
    std::error_code ignored;
    if (flock(folder, LOCK_EX | LOCK_NB) == 0) fs::remove_all(path_, ignored);
    ::close(folder);
  }

  std::string path_;
  int lock_ = -1;
};

// Returns the error, 0 for none.
int put_in_place(const std::string& part, const std::string& path) {
  if (std::rename(part.c_str(), path.c_str()) == 0) return 0;
  if (errno != ENOTEMPTY && errno != EEXIST) return errno;
  if (renameat2(AT_FDCWD, part.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // The file system cannot exchange: the path does not exist for a moment.
  std::error_code failed;
  fs::remove_all(path, failed);
  return failed ? failed.value() : std::rename(part.c_str(), path.c_str()) == 0 ? 0 : errno;
}

}  // namespace

void write_whole_folder(const std::string& path, const std::function<bool(const std::string& name)>& is_ours,
                        const std::function<void(const std::string& folder)>& fill) {
  std::error_code failed;
  const fs::file_status status = fs::symlink_status(path, failed);
  if (fs::is_directory(status)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(path, failed)) {
      const std::string name = entry.path().filename().string();
      if (!is_ours(name)) cannot_write_folder(path, printable(name, 100) + " in it is not of an earlier report");
    }
    if (failed) cannot_write_folder(path, failed.message());
  } else if (fs::exists(status)) {
    cannot_write_folder(path, "it is there and is no folder");
  }
  const PartFolder part(path);
  fill(part.path());
  if (const int error = put_in_place(part.path(), path)) cannot_write_folder(path, std::strerror(error));
}

}  // namespace oddsbound::base
