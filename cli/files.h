// Expands command-line paths to files, and writes one file per spec to a folder.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/report.h"
#include "reports/spec_result.h"

namespace oddsbound::cli {

/// The error message for a directory without spec files.
inline constexpr const char* kNoSpecs = "there is no *.json file in this directory";

enum class Skipped { kNamed, kQuiet };

/// Replaces each directory by its *.json files, sorted by name. Searches subfolders too, also behind links (each
/// folder once); skips *.schema.json, *.release.json, *.design.json and privacy locks, and names them on standard
/// error unless `mention` is kQuiet. Other paths stay as they are ("-" is standard input). Adds an error for a
/// directory without such files, an unreadable folder and a dangling link.
std::vector<std::string> expand_paths(std::span<const std::string> paths, std::vector<FileError>& errors,
                                      Skipped mention = Skipped::kNamed);

// Folders that receive one file per spec that has something to write.

struct SpecFolder {
  std::string option;   // that requests it: "--write-witness"
  std::string path;     // empty: not requested
  std::string one;      // noun for one file: "spec"
  std::string nothing;  // message if there is none
};
struct SpecFile {
  const SpecResult* spec;
  NamedText file;
};

/// Creates the folder and writes the files, if there are any. Returns false after a complaint, before anything is
/// written, if two files have the same name. Throws std::runtime_error if a file cannot be written.
bool write_spec_files(const SpecFolder& folder, const std::vector<SpecFile>& files);

}  // namespace oddsbound::cli
