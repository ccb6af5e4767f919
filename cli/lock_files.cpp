#include "cli/lock_files.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <span>

#include "cli/files.h"
#include "cli/progress.h"

namespace oddsbound::cli {

namespace {

namespace fs = std::filesystem;

// Whether a locked file is what a path means, or is below it.
bool is_meant(const std::string& name, const std::string& path, const LockRequest& request) {
  // A folder that is gone has only its name.
  const std::string own = name_in_lock(path, request.lock);
  if (name == own || name.starts_with(own + "/")) return true;
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return false;
  const fs::path file = fs::absolute(path_of_name(name, request.lock)).lexically_normal();
  const fs::path whole = fs::weakly_canonical(file.parent_path(), ignored) / file.filename();
  const fs::path below = whole.lexically_relative(fs::canonical(path, ignored));
  return !below.empty() && *below.begin() != "..";
}

// Gone is what is not there, or is no file any more; what cannot be looked at is an error when it is read.
bool is_gone(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return status.type() == fs::file_type::not_found || fs::is_directory(status);
}

// The files that are compared: those given, or the lock's own.
std::vector<std::string> files_to_measure(const LockRequest& request, const Lock& lock, std::vector<FileError>& wrong) {
  std::vector<std::string> paths = request.paths;
  if (paths.empty()) {
    for (const std::string& name : lock.paths) {
      const std::string path = path_of_name(name, request.lock);
      std::error_code error;
      if (!fs::is_directory(path, error)) continue;
      std::vector<FileError> errors;
      for (const std::string& file : expand_paths(std::span(&path, 1), errors)) paths.push_back(file);
      // That a folder is empty is told by its locked specs, which are gone.
      std::erase_if(errors, [](const FileError& e) { return e.message == kNoSpecs; });
      wrong.insert(wrong.end(), errors.begin(), errors.end());
    }
    for (const auto& [name, spec] : lock.specs) paths.push_back(path_of_name(name, request.lock));
  }
  // A locked file that is gone is no error of its own.
  std::erase_if(paths, [&](const std::string& path) {
    return lock.specs.contains(name_in_lock(path, request.lock)) && is_gone(path);
  });
  return paths.empty() ? paths : expand_paths(paths, wrong);
}

}  // namespace

std::string name_in_lock(const std::string& path, const std::string& lock) {
  const auto folder_of = [](const fs::path& file) {
    return fs::weakly_canonical(fs::absolute(file).parent_path().empty() ? "/" : fs::absolute(file).parent_path());
  };
  fs::path file = path;
  // A folder named as "specs/", "." or ".." is itself what is meant.
  const std::string last = file.filename().string();
  const bool itself = last.empty() || last == "." || last == "..";
  const fs::path whole = itself ? fs::weakly_canonical(fs::absolute(file)) : folder_of(file) / last;
  std::string name = whole.lexically_relative(folder_of(lock)).generic_string();
  if (name.size() > 1 && name.ends_with('/')) name.pop_back();
  return name;
}

std::string path_of_name(const std::string& name, const std::string& lock) {
  return (fs::path(lock).parent_path() / name).string();
}

MeasuredSpecs measure_present(const LockRequest& request, const Lock& lock) {
  std::vector<FileError> wrong;
  std::vector<std::pair<std::string, File>> specs;
  const std::string own_name = name_in_lock(request.lock, request.lock);
  std::set<std::string> tried{own_name};
  for (const std::string& file : files_to_measure(request, lock, wrong)) {
    const std::string name = name_in_lock(file, request.lock);
    if (tried.insert(name).second) specs.emplace_back(name, File{file});
  }
  tried.erase(own_name);
  Progress progress;
  MeasuredSpecs present = measure(specs, request.smt, {request.limits, progress.shown()});
  present.errors.insert(present.errors.begin(), wrong.begin(), wrong.end());
  // Whatever was not found by its name is gone, whyever: nothing that is locked goes without a word.
  for (const auto& [name, spec] : lock.specs) {
    const auto covers = [&](const std::string& path) { return is_meant(name, path, request); };
    const bool meant = request.paths.empty() || std::any_of(request.paths.begin(), request.paths.end(), covers);
    if (meant && !tried.contains(name)) present.missing.push_back(name);
  }
  return present;
}

}  // namespace oddsbound::cli
