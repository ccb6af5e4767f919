#include "cli/files.h"

#include <algorithm>
#include <filesystem>

namespace oddsbound {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> json_files(const std::string& directory) {
  std::vector<std::string> found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory)) {
    std::error_code ignored;
    const std::string path = entry.path().string();
    if (path.ends_with(".json") && !path.ends_with(".schema.json") && !entry.is_directory(ignored)) {
      found.push_back(path);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

FileError path_error(const std::string& path, const std::string& message) {
  const SpecError error({path, 0, 0, ""}, message);
  return {error.place(), error.message(), error.hint(), error.what()};
}

}  // namespace

std::vector<std::string> expand_paths(std::span<const std::string> paths, std::vector<FileError>& errors) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (path == "-" || !fs::is_directory(path, ignored)) {
      files.push_back(path);
      continue;
    }
    try {
      const std::vector<std::string> found = json_files(path);
      if (found.empty()) errors.push_back(path_error(path, kNoSpecs));
      files.insert(files.end(), found.begin(), found.end());
    } catch (const fs::filesystem_error& error) {
      errors.push_back(path_error(path, error.code().message()));
    }
  }
  return files;
}

}  // namespace oddsbound
