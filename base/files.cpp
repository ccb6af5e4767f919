#include "base/files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace oddsbound::base {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const std::string& reason) {
  throw std::runtime_error("cannot write " + path + ": " + reason);
}

// The reason of a failure, empty for none.
std::string written(const std::string& path, const std::string& text, std::ios::openmode mode) {
  errno = 0;
  std::ofstream file(path, std::ios::binary | mode);
  file << text;
  file.close();
  return file ? "" : std::strerror(errno == 0 ? EIO : errno);
}

// What the system still holds of a file goes to the disk. The reason of a failure, empty for none.
std::string saved(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::strerror(errno);
  // EINVAL: it is on something that holds nothing back.
  const std::string reason = fsync(file) == 0 || errno == EINVAL ? "" : std::strerror(errno);
  close(file);
  return reason;
}

// A name of something that is open already, and may be a file that others have written to.
bool is_open_file(const std::string& path) {
  return path == "/dev/stdout" || path == "/dev/stderr" || path.starts_with("/dev/fd/") || path.starts_with("/proc/");
}

}  // namespace

std::string target_of(const std::string& path) {
  constexpr int kMostLinks = 40;  // as the system has it
  std::error_code error;
  fs::path target = path;
  for (int links = 0; fs::is_symlink(fs::symlink_status(target, error)); ++links) {
    if (links == kMostLinks) fail(path, "too many symbolic links");
    target = target.parent_path() / fs::read_symlink(target, error);
  }
  return target.string();
}

void write_whole(const std::string& path, const std::string& text) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) fail(path, "it is a directory");
  if (is_open_file(path) || (fs::exists(status) && !fs::is_regular_file(status))) {
    const std::string reason = written(path, text, std::ios::app);
    return reason.empty() ? void() : fail(path, reason);
  }
  // Links stay links.
  const std::string target = target_of(path);
  const std::string unfinished = target + ".part-" + std::to_string(getpid());
  std::string reason = written(unfinished, text, std::ios::trunc);
  // Or a machine that fails could leave the new name with nothing in it.
  if (reason.empty()) reason = saved(unfinished);
  if (reason.empty()) {
    if (fs::exists(status)) fs::permissions(unfinished, status.permissions(), error);
    fs::rename(unfinished, target, error);
    if (!error) return;
    reason = error.message();
  }
  fs::remove(unfinished, error);
  fail(path, reason);
}

void make_directory(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw std::runtime_error("cannot make the directory " + path + ": " + error.message());
}

}  // namespace oddsbound::base
