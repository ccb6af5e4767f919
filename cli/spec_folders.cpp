#include "cli/spec_folders.h"

#include <filesystem>
#include <set>

#include "base/files.h"
#include "cli/common.h"
#include "specs/spec_error.h"

namespace oddsbound::cli {

bool write_spec_files(const SpecFolder& folder, const std::vector<SpecFile>& files) {
  if (folder.path.empty()) return true;
  std::set<std::string> names;
  for (const auto& [spec, file] : files) {
    if (names.insert(file.name).second) continue;
    complain(folder.option + ": two specs are called '" + printable(spec->name, 40) + "', and both have " + file.name);
    return false;
  }
  for (const auto& [spec, file] : files) {
    make_directory(folder.path);
    write_whole((std::filesystem::path(folder.path) / file.name).string(), file.text);
  }
  const std::string count = std::to_string(files.size()) + " " + (files.size() == 1 ? folder.one : folder.many);
  tell(folder.option + ": " + (files.empty() ? folder.nothing : count + " in " + printable(folder.path, 200)) + "\n");
  return true;
}

}  // namespace oddsbound::cli
