// Files that are there as a whole or not at all.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "base/namespaces.h"

namespace oddsbound::base {

/// Writes the text to the file; what is no ordinary file (a pipe, a terminal, /dev/null) is written to directly. Throws
/// std::runtime_error with the reason if that fails, and leaves nothing half-written. When it returns, the file and its
/// name are on the disk. The text is written as `FILE.oddsbound-part-N` first; what a killed process left under such a
/// name goes with the next writing of the file.
void write_whole(const std::string& path, const std::string& text);

/// What the path stands for, however many symbolic links lead there. Throws std::runtime_error if they lead in circles.
std::string target_of(const std::string& path);

/// Whether two paths name one file, there or not yet, through whatever links.
bool is_same_file(const std::string& a, const std::string& b);

/// Whether what is open is still what is at the path, which is not followed.
bool is_file_at(const std::string& path, int descriptor);

/// Makes the directory, with those above it. Throws std::runtime_error.
void make_directory(const std::string& path);

// A lock on a file that is read and then replaced: held by one run at a time, whatever process it is in. It is a lock
// (flock) on a file of its own beside it, since what is replaced is another file afterwards.

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

// Folders that are there as a whole or not at all, as files are (base/files.h).

/// Puts a folder at the path, with the files that `fill` writes into the folder it is given. The path must be free, or
/// a folder in which `is_ours` holds for the name of every file: that is replaced in one step where the file system
/// can. Throws std::runtime_error otherwise, or if writing fails, and leaves nothing half-written.
void write_whole_folder(const std::string& path, const std::function<bool(const std::string& name)>& is_ours,
                        const std::function<void(const std::string& folder)>& fill);

}  // namespace oddsbound::base
