// A lock on a file that is read and then replaced: held by one run at a time, whatever process it is in. It is a lock
// (flock) on a file of its own beside it, since what is replaced is another file afterwards.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "base/namespaces.h"

namespace oddsbound::base {

class FileLock {
 public:
  /// Of the file at the path, which need not be there. None if somebody else holds it; throws std::runtime_error if
  /// there can be none. The system ends it where a process dies; the file `PATH.lock` that is left then is no lock.
  static std::optional<FileLock> take(const std::string& path);
  /// The same, but waits until nobody else holds it. A signal with a handler ends the wait with std::runtime_error.
  static FileLock wait(const std::string& path);

  FileLock(FileLock&& other) noexcept
      : file_(std::move(other.file_)), descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileLock& operator=(FileLock&&) = delete;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  static std::optional<FileLock> acquire(const std::string& path, bool waits);
  FileLock(std::string file, int descriptor) : file_(std::move(file)), descriptor_(descriptor) {}

  std::string file_;
  int descriptor_;
};

}  // namespace oddsbound::base
