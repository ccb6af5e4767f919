#include "cli/files.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/files.h"
#include "cli/common.h"
#include "reports/words.h"
#include "specs/spec_error.h"

namespace oddsbound::cli {

namespace fs = std::filesystem;

namespace {

// Visits folders behind links last, and each folder once. So cycles end, and a spec that is reachable without a
// link gets that name.
class FolderSearch {
 public:
  FolderSearch(const std::string& root, std::vector<FileError>& errors) : errors_(errors) {
    visit(root);
    for (std::size_t next = 0; next < links_.size(); ++next) visit(std::string(links_[next]));
    std::sort(found_.begin(), found_.end());
  }

  std::vector<std::string> take() { return std::move(found_); }

 private:
  void visit(const std::string& folder) {
    std::error_code error;
    const fs::path itself = fs::canonical(folder, error);
    std::vector<fs::directory_entry> entries;
    if (!error) {
      if (!seen_.insert(itself).second) return;
      for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
           entry.increment(error)) {
        entries.push_back(*entry);
      }
    }
    if (error) errors_.push_back(file_error(folder, error.message()));
    std::sort(entries.begin(), entries.end());
    for (const fs::directory_entry& entry : entries) look_at(entry);
  }

  void look_at(const fs::directory_entry& entry) {
    const std::string path = entry.path().string();
    std::error_code error;
    const fs::file_status status = entry.status(error);
    if (fs::is_directory(status)) {
      if (entry.is_symlink(error)) {
        links_.push_back(path);
      } else {
        visit(path);
      }
    } else if (path.ends_with(".schema.json") || path.ends_with(".release.json") || path.ends_with(".design.json")) {
      return;
    } else if (path.ends_with(".json") && fs::is_regular_file(status)) {
      found_.push_back(path);
    } else if (path.ends_with(".json") && fs::exists(status)) {
      // A pipe is read only if the user names it: one found in a folder may never end.
      errors_.push_back(file_error(path, "this is not a regular file"));
    } else if (!fs::exists(status)) {
      errors_.push_back(file_error(path, "this link leads nowhere, or where nothing may be read"));
    }
  }

  std::vector<FileError>& errors_;
  std::set<fs::path> seen_;
  std::vector<std::string> links_, found_;
};

}  // namespace

std::vector<std::string> expand_paths(std::span<const std::string> paths, std::vector<FileError>& errors) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (path == "-" || !fs::is_directory(path, ignored)) {
      files.push_back(path);
      continue;
    }
    const std::size_t before = errors.size();
    const std::vector<std::string> found = FolderSearch(path, errors).take();
    if (found.empty() && errors.size() == before) errors.push_back(file_error(path, kNoSpecs));
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

bool write_spec_files(const SpecFolder& folder, const std::vector<SpecFile>& files) {
  if (folder.path.empty()) return true;
  std::set<std::string> names;
  for (const auto& [spec, file] : files) {
    if (names.insert(file.name).second) continue;
    complain(folder.option + ": two specs are called '" + printable(spec->name, 40) + "', and both have " + file.name);
    return false;
  }
  if (!files.empty()) make_directory(folder.path);
  for (const auto& [spec, file] : files) {
    write_whole((std::filesystem::path(folder.path) / file.name).string(), file.text);
  }
  const std::string count = counted(files.size(), folder.one) + " in " + printable(folder.path, 200);
  tell(folder.option + ": " + (files.empty() ? folder.nothing : count) + "\n");
  return true;
}

}  // namespace oddsbound::cli
