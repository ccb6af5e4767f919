// The program that works alone.
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "cli/post_of_program.h"

namespace oddsbound::cli {

std::unique_ptr<cluster::Post> post_of_program() {
  // As many processes as mpirun begins would all do the same, and each would write it.
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* size = std::getenv(variable);
    if (size != nullptr && std::string(size) != "1") {
      throw std::runtime_error("this program works alone, and was begun as one of " + std::string(size) +
                               " processes: use oddsbound-mpi");
    }
  }
  return nullptr;
}

}  // namespace oddsbound::cli
