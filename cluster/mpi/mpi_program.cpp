// The program of several processes, begun by mpirun.
#include "cli/shared_run.h"
#include "cluster/mpi/mpi_transport.h"
#include "cluster/transport.h"

namespace oddsbound::cli {

std::shared_ptr<void> join_processes(const std::vector<std::string>& arguments) {
  std::shared_ptr<cluster::Transport> transport = cluster::mpi_transport();
  cluster::begin_program(arguments, transport.get());
  return transport;
}

}  // namespace oddsbound::cli
