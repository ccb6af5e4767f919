// Files that are there as a whole or not at all.
#pragma once

#include <string>

namespace oddsbound {

/// Writes the text to the file. Throws std::runtime_error if that fails, and leaves nothing half-written.
void write_whole(const std::string& path, const std::string& text);

/// Makes the directory, with those above it. Throws std::runtime_error.
void make_directory(const std::string& path);

}  // namespace oddsbound
