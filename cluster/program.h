// The startup hook of the two programs (single process and MPI).
#pragma once

#include <string>
#include <vector>

#include "cluster/transport.h"

namespace oddsbound::cluster {

/// Stores the program's arguments and its transport to other processes (null: none). The transport outlives all
/// runs.
void begin_program(std::vector<std::string> arguments, Transport* transport);

}  // namespace oddsbound::cluster
