#include "cli/spec_folders.h"

#include <filesystem>
#include <set>

#include "base/files.h"
#include "cli/common.h"
#include "results/words.h"
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
  if (!files.empty()) make_directory(folder.path);
  for (const auto& [spec, file] : files) {
    write_whole((std::filesystem::path(folder.path) / file.name).string(), file.text);
  }
  const std::string count = counted(files.size(), folder.one) + " in " + printable(folder.path, 200);
  tell(folder.option + ": " + (files.empty() ? folder.nothing : count) + "\n");
  return true;
}

}  // namespace oddsbound::cli
