// join_processes() of the program that runs as a single process.

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "cli/shared_run.h"
#include "cluster/transport.h"

namespace oddsbound::cli {

std::shared_ptr<void> join_processes(const std::vector<std::string>& arguments) {
  // Under mpirun, every process would do the whole run and write its result.
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* size = std::getenv(variable);
    if (size != nullptr && std::string(size) != "1") {
      throw std::runtime_error("this program works alone, and was begun as one of " + std::string(size) +
                               " processes: use oddsbound-mpi");
    }
  }
  cluster::begin_program(arguments, nullptr);
  return nullptr;
}

}  // namespace oddsbound::cli
