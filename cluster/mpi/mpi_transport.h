// Messages between the processes of one MPI job.
#pragma once

#include <memory>

#include "cluster/transport.h"

namespace oddsbound::cluster {

/// Initializes MPI. Processes other than the coordinator ignore SIGINT and SIGTERM and write to /dev/null. Throws
/// std::runtime_error.
std::unique_ptr<Transport> mpi_transport();

}  // namespace oddsbound::cluster
