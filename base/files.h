// Files that are there as a whole or not at all.
#pragma once

#include <string>

#include "base/namespaces.h"

namespace oddsbound::base {

/// Writes the text to the file; what is no ordinary file (a pipe, a terminal, /dev/null) is written to directly. Throws
/// std::runtime_error with the reason if that fails, and leaves nothing half-written.
void write_whole(const std::string& path, const std::string& text);

/// What the path stands for, however many symbolic links lead there. Throws std::runtime_error if they lead in circles.
std::string target_of(const std::string& path);

/// Makes the directory, with those above it. Throws std::runtime_error.
void make_directory(const std::string& path);

}  // namespace oddsbound::base
