// Files that are there as a whole or not at all.
#pragma once

#include <string>

#include "base/namespaces.h"

namespace oddsbound::base {

/// Writes the text to the file; what is no ordinary file (a pipe, a terminal, /dev/null) is written to directly. Throws
/// std::runtime_error with the reason if that fails, and leaves nothing half-written. When it returns, the file and its
/// name are on the disk. The text is written as `FILE.oddsbound-part-N` first; what a killed process left under such a
/// name goes with the next writing of the file.
void write_whole(const std::string& path, const std::string& text);

/// What the path stands for, however many symbolic links lead there. Throws std::runtime_error if they lead in circles.
std::string target_of(const std::string& path);

/// Whether two paths name one file, there or not yet, through whatever links.
bool is_same_file(const std::string& a, const std::string& b);

/// Whether what is open is still what is at the path, which is not followed.
bool is_file_at(const std::string& path, int descriptor);

/// Makes the directory, with those above it. Throws std::runtime_error.
void make_directory(const std::string& path);

}  // namespace oddsbound::base
