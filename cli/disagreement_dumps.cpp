#include "cli/disagreement_dumps.h"

#include <filesystem>

#include "base/files.h"

namespace oddsbound::cli {

std::vector<std::string> write_disagreement_dumps(const Report& report, const std::string& folder) {
  std::vector<std::string> sentences;
  for (const SpecResult& spec : report.specs) {
    for (const Disagreement& disagreement : spec.disagreements) {
      std::string files;
      for (const NamedText& exhibit : disagreement.exhibits) {
        const std::string file = (std::filesystem::path(folder) / ("oddsbound-disagreement-" + exhibit.name)).string();
        write_whole(file, exhibit.text);
        files.append(files.empty() ? "" : ", ").append(file);
      }
      const FileError& error = disagreement.error;
      sentences.push_back(error.place.file + ": " + error.place.pointer + ": what each decided is in " + files);
    }
  }
  return sentences;
}

}  // namespace oddsbound::cli
