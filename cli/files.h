// From what the user names on the command line to the files it means.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/report.h"
#include "reports/spec_result.h"

namespace oddsbound {

/// The error of a directory without spec files.
inline constexpr const char* kNoSpecs = "there is no *.json file in this directory";

/// Directories are searched, with their subfolders and those behind links (each once), for *.json in order of name (not
/// *.schema.json); all else is kept as it is ("-" is standard input). A directory without any is an error, as is a
/// folder that cannot be read and a link that leads nowhere; errors are added to `errors`.
std::vector<std::string> expand_paths(std::span<const std::string> paths, std::vector<FileError>& errors);

}  // namespace oddsbound

// Folders that get a file for whatever of a spec is to be shown there.

namespace oddsbound::cli {

struct SpecFolder {
  std::string option;   // that asks for it: "--write-witness"
  std::string path;     // empty: nobody does
  std::string one;      // what a file is called: "spec"
  std::string nothing;  // what is told where there is none
};
struct SpecFile {
  const SpecResult* spec;
  NamedText file;
};

/// Makes the folder and writes the files, if there are any. False after a complaint, before anything is written: if two
/// of them have one name. Throws std::runtime_error where one cannot be written.
bool write_spec_files(const SpecFolder& folder, const std::vector<SpecFile>& files);

}  // namespace oddsbound::cli
