#include "base/whole_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "base/characters.h"

namespace oddsbound::base {

namespace {

namespace fs = std::filesystem;

constexpr int kMostFolderParts = 64;  // so many may write one folder at once

[[noreturn]] void cannot_write_folder(const std::string& path, const std::string& reason) {
  throw std::runtime_error("cannot write the folder " + printable(path, 400) + ": " + reason);
}

// The folder that is being filled, under a name beside its target. It is locked while its process lives, so that what a
// killed process left can be removed.
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
  // Removes what has the temporary name now: after a failure the unfinished folder, after an exchange the old one.
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

// The error, 0 for none.
int put_in_place(const std::string& part, const std::string& path) {
  if (std::rename(part.c_str(), path.c_str()) == 0) return 0;
  if (errno != ENOTEMPTY && errno != EEXIST) return errno;
  if (renameat2(AT_FDCWD, part.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // No exchange on this file system: for a moment there is no folder.
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
