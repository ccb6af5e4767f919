// How a program speaks to the other processes of its run: each of the two programs has its own way.
#pragma once

#include <memory>

#include "cluster/post.h"

namespace oddsbound::cli {

/// Null where there are no others. Throws std::runtime_error.
std::unique_ptr<cluster::Post> post_of_program();

}  // namespace oddsbound::cli
