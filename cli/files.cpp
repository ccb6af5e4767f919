#include "cli/files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/files.h"
#include "cli/common.h"
#include "reports/words.h"
#include "specs/spec_error.h"

namespace oddsbound::cli {

namespace fs = std::filesystem;

namespace {

std::string_view kind_by_name(const std::string& path) {
  if (path.ends_with(".schema.json")) return "a JSON Schema";
  if (path.ends_with(".release.json")) return "a release";
  return path.ends_with(".design.json") ? "a design request" : "";
}

// True if the first key is that of a lock, which no spec has. oddsbound writes it first.
bool begins_as_lock(const std::string& path) {
  constexpr std::string_view kKey = "\"oddsbound_lock\"";
  std::ifstream file(path, std::ios::binary);
  char next = 0;
  if (!(file >> next) || next != '{') return false;
  std::string key(kKey.size(), ' ');
  file >> std::ws;
  return file.read(key.data(), static_cast<std::streamsize>(key.size())) && key == kKey;
}

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
  /// Files that are no specs, with what they are: "a/b.design.json (a design request)".
  const std::vector<std::string>& skipped() const { return skipped_; }

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
    } else if (const std::string_view kind = kind_by_name(path); !kind.empty()) {
      skipped_.push_back(printable(path, 100) + " (" + std::string(kind) + ")");
    } else if (path.ends_with(".json") && fs::is_regular_file(status) && begins_as_lock(path)) {
      skipped_.push_back(printable(path, 100) + " (a privacy lock)");
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
  std::vector<std::string> links_, found_, skipped_;
};

}  // namespace

std::vector<std::string> expand_paths(std::span<const std::string> paths, std::vector<FileError>& errors,
                                      Skipped mention) {
  std::vector<std::string> files, skipped;
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (path == "-" || !fs::is_directory(path, ignored)) {
      files.push_back(path);
      continue;
    }
    const std::size_t before = errors.size();
    FolderSearch search(path, errors);
    const std::vector<std::string> found = search.take();
    skipped.insert(skipped.end(), search.skipped().begin(), search.skipped().end());
    if (found.empty() && errors.size() == before) errors.push_back(file_error(path, kNoSpecs));
    files.insert(files.end(), found.begin(), found.end());
  }
  constexpr std::size_t kMostNamed = 3;
  if (mention == Skipped::kQuiet || skipped.empty()) return files;
  std::sort(skipped.begin(), skipped.end());
  std::string names;
  for (std::size_t i = 0; i < std::min(skipped.size(), kMostNamed); ++i) names += (i == 0 ? "" : ", ") + skipped[i];
  if (skipped.size() > kMostNamed) names += " and " + std::to_string(skipped.size() - kMostNamed) + " more";
  tell("note: skipped, not a spec: " + names + "\n");
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
