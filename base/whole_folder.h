// Folders that are there as a whole or not at all, as files are (base/files.h).
#pragma once

#include <functional>
#include <string>

#include "base/namespaces.h"

namespace oddsbound::base {

/// Puts a folder at the path, with the files that `fill` writes into the folder it is given. The path must be free, or
/// a folder in which `is_ours` holds for the name of every file: that is replaced in one step where the file system
/// can. Throws std::runtime_error otherwise, or if writing fails, and leaves nothing half-written.
void write_whole_folder(const std::string& path, const std::function<bool(const std::string& name)>& is_ours,
                        const std::function<void(const std::string& folder)>& fill);

}  // namespace oddsbound::base
