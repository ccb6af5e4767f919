// What the two programs, alone and under MPI, tell the module of themselves.
#pragma once

#include <string>
#include <vector>

#include "cluster/transport.h"

namespace oddsbound::cluster {

/// What the program was begun with, and how it reaches other processes: null for none. The transport outlives all runs.
void begin_program(std::vector<std::string> arguments, Transport* transport);

}  // namespace oddsbound::cluster
