// Atomic replacement of files and folders: a path has the complete new content or its old one. Also file locks.
//
// A file or folder is written under a temporary name beside its target and then renamed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "base/namespaces.h"

namespace oddsbound::base {

/// Replaces the file's content by the text. Pipes, terminals and devices such as /dev/null are written to
/// directly. On return, the file and its name are on the disk. Throws std::runtime_error with the reason on
/// failure and then leaves no partial file. The temporary name is `FILE.oddsbound-part-N`; the next write of the
/// same file removes those that killed processes left behind.
void write_whole(const std::string& path, const std::string& text);

/// Returns the path after following all symbolic links. Throws std::runtime_error if they form a cycle.
std::string target_of(const std::string& path);

/// True if two paths name one file, existing or not, through any links.
bool is_same_file(const std::string& a, const std::string& b);

/// True if the open file is the one at `path`. Does not follow a symbolic link at `path`.
bool is_file_at(const std::string& path, int descriptor);

/// Creates the directory and its parents. Throws std::runtime_error.
void make_directory(const std::string& path);

// A lock (flock) for a file that is read and then replaced; only one run holds it at a time, across processes. It
// is on a separate file `PATH.lock`, because replacing a file creates another file.

class FileLock {
 public:
  /// Locks the file at `path`, which need not exist. Returns nullopt if someone else holds the lock; throws
  /// std::runtime_error if no lock can be created. The system releases the lock when the process dies; a
  /// `PATH.lock` left behind then does not lock anything.
  static std::optional<FileLock> take(const std::string& path);
  /// The same, but waits for the lock. A signal with a handler ends the wait with std::runtime_error.
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

// Folders that are replaced as a whole.

/// Replaces the folder at `path` by one with the files that `fill` writes into the folder it is given. `path` must
/// be free, or a folder in which `is_ours` accepts every entry's name; the exchange is atomic where the file
/// system supports it. Throws std::runtime_error otherwise or if writing fails, and then leaves no partial folder.
void write_whole_folder(const std::string& path, const std::function<bool(const std::string& name)>& is_ours,
                        const std::function<void(const std::string& folder)>& fill);

}  // namespace oddsbound::base
