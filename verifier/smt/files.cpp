#include "verifier/smt/files.h"

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace oddsbound {

void write_whole(const std::string& path, const std::string& text) {
  const std::string unfinished = path + ".part";
  std::error_code error;
  {
    std::ofstream file(unfinished, std::ios::binary);
    file << text;
    file.flush();
    if (!file) error = std::make_error_code(std::errc::io_error);
  }
  if (!error) std::filesystem::rename(unfinished, path, error);
  if (!error) return;
  std::error_code ignored;
  std::filesystem::remove(unfinished, ignored);
  throw std::runtime_error("cannot write " + path);
}

void make_directory(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw std::runtime_error("cannot make the directory " + path + ": " + error.message());
}

}  // namespace oddsbound
