#include "base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "base/characters.h"
#include "base/files.h"

namespace oddsbound::base {

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
    // Whoever held the lock before may have removed the file after it was opened here: then others lock another one.
    if (is_file_at(file, descriptor)) return lock;
    close(std::exchange(lock.descriptor_, -1));
  }
}

FileLock::~FileLock() {
  if (descriptor_ < 0) return;
  // Not what somebody else has put there in the meantime.
  if (is_file_at(file_, descriptor_)) unlink(file_.c_str());
  close(descriptor_);
}

}  // namespace oddsbound::base
