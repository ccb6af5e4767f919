// The tasks (base/task.h) of a file that a run works on.
#pragma once

#include <memory>
#include <string>

#include "base/task.h"

namespace oddsbound::runs {

/// Null if there is nobody to share with and nothing is kept; else the limits are those of work within it. `name` is
/// that of no other part of the run, and `content` what its questions are about.
std::unique_ptr<TaskScope> begin_scope(const std::string& name, const Bytes& content, Limits& limits);

/// The same for what is asked about a file. Throws SpecError if it cannot be read.
std::unique_ptr<TaskScope> scope_of_file(const std::string& name, const std::string& file, Limits& limits);

}  // namespace oddsbound::runs
