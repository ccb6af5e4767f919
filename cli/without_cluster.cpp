// Runs of one process: what shared_run.h is without the module `cluster`.
#include "cli/shared_run.h"

namespace oddsbound::cli {

struct SharedRun::State {};

void add_checkpoint(CLI::App&, CheckpointOptions&) {}

SharedRun::SharedRun(const CheckpointOptions&, const std::vector<std::string>&, const std::vector<Output>&) {}
SharedRun::~SharedRun() = default;
TaskScopes* SharedRun::scopes() { return nullptr; }
void SharedRun::end(bool) {}
void SharedRun::is_told(bool) {}

bool is_one_of_several() { return false; }
bool only_helps() { return false; }
std::shared_ptr<void> join_processes(const std::vector<std::string>&) { return nullptr; }

}  // namespace oddsbound::cli
