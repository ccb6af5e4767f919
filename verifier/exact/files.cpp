#include "verifier/exact/files.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace oddsbound {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const std::string& reason) {
  throw std::runtime_error("cannot write " + path + ": " + reason);
}

// The reason of a failure, empty for none.
std::string written(const std::string& path, const std::string& text) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  return file ? "" : std::strerror(errno == 0 ? EIO : errno);
}

}  // namespace

void write_whole(const std::string& path, const std::string& text) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) fail(path, "it is a directory");
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    const std::string reason = written(path, text);
    return reason.empty() ? void() : fail(path, reason);
  }
  // A symbolic link stays one.
  const fs::path target =
      fs::is_symlink(fs::symlink_status(path, error)) ? fs::weakly_canonical(path, error) : fs::path(path);
  const std::string unfinished = target.string() + ".part-" + std::to_string(getpid());
  std::string reason = written(unfinished, text);
  if (reason.empty()) {
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

}  // namespace oddsbound
