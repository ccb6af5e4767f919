// The tasks (base/task.h) of what a run works on.
#pragma once

#include <memory>
#include <string>

#include "base/task.h"
#include "specs/source_file.h"

namespace oddsbound::runs {

/// Null if there is nobody to share with and nothing is kept; else the limits are those of work within it. `name` is
/// that of no other part of the run, and `content` what its questions are about. Throws std::runtime_error for a
/// checkpoint of other content.
std::unique_ptr<TaskScope> begin_scope(const std::string& name, const Bytes& content, Limits& limits);

/// What files hold that were read, by their hashes.
Bytes content_of(const std::vector<SourceFile>& files);

}  // namespace oddsbound::runs
