// From what the user names on the command line to the files it means.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "results/report.h"

namespace oddsbound {

/// The error of a directory without spec files.
inline constexpr const char* kNoSpecs = "there is no *.json file in this directory";

/// Directories are searched, with their subfolders and those behind links (each once), for *.json in order of name (not
/// *.schema.json); all else is kept as it is ("-" is standard input). A directory without any is an error, as is a
/// folder that cannot be read and a link that leads nowhere; errors are added to `errors`.
std::vector<std::string> expand_paths(std::span<const std::string> paths, std::vector<FileError>& errors);

}  // namespace oddsbound
