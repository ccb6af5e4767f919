// A run that is shared with other processes (oddsbound-mpi), or that has a checkpoint.
#pragma once

#include <string>
#include <vector>

#include "base/task.h"
#include "cli/common.h"
#include "cli/outputs.h"

namespace oddsbound::cli {

/// --checkpoint and --checkpoint-seconds.
struct CheckpointOptions {
  std::string path;  // empty: no checkpoint
  double seconds = 60;
};
void add_checkpoint(CLI::App& command, CheckpointOptions& options);

class SharedRun {
 public:
  /// `files`: all input files named on the command line; `outputs`: all output files. Throws std::runtime_error,
  /// as Checkpoint and ProcessGroup do, also if the checkpoint is one of these files.
  SharedRun(const CheckpointOptions& options, const std::vector<std::string>& files,
            const std::vector<Output>& outputs = {});
  SharedRun(const SharedRun&) = delete;
  SharedRun& operator=(const SharedRun&) = delete;

  ~SharedRun();

  /// Returns null if there are no other processes and no checkpoint.
  TaskScopes* scopes();
  /// Ends the shared work. In workers it does not return: what follows is for the coordinator alone. An incomplete
  /// run is saved to the checkpoint.
  void end(bool is_complete);
  /// Call it once the result is written, or could not be. Removes a checkpoint that is no longer needed; otherwise
  /// keeps it and reports it.
  void is_told(bool is_written);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// True if this run has other processes.
bool is_one_of_several();
/// True in a worker process, which writes and reports nothing.
bool only_helps();

/// Joins the other processes of this run; each of the two programs has its own definition. For main only; the
/// returned object outlives all runs. Throws std::runtime_error.
std::shared_ptr<void> join_processes(const std::vector<std::string>& arguments);

}  // namespace oddsbound::cli
