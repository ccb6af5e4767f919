// A run that other processes take part in (oddsbound-mpi), and that a checkpoint is kept of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/common.h"
#include "base/task.h"
#include "cli/outputs.h"

namespace oddsbound::cli {

/// --checkpoint and --checkpoint-seconds.
struct CheckpointOptions {
  std::string path;  // empty: none is kept
  double seconds = 60;
};
void add_checkpoint(CLI::App& command, CheckpointOptions& options);

class SharedRun {
 public:
  /// files: all that are named on the command line and read; outputs: that are written. Throws std::runtime_error, as
  /// Checkpoint and Crew do, and for a checkpoint that is one of them as well.
  SharedRun(const CheckpointOptions& options, const std::vector<std::string>& files,
            const std::vector<Output>& outputs = {});
  SharedRun(const SharedRun&) = delete;
  SharedRun& operator=(const SharedRun&) = delete;

  ~SharedRun();

  /// Null: there are no other processes, and no checkpoint.
  TaskScopes* scopes();
  /// The work is done, and what follows is for the process that leads alone: for others this does not return. What
  /// was left open is kept.
  void end(bool is_complete);
  /// The result is where it was to go, or could not be written. A checkpoint that is of use is kept, and said.
  void is_told(bool is_written);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Whether there are other processes of this run.
bool is_one_of_several();
/// Whether this one is not the one that leads: it has nothing to write or to say.
bool only_helps();

/// Joins the other processes of this run, as each of the two programs does. For main alone; what it returns outlives all
/// runs. Throws std::runtime_error.
std::shared_ptr<void> join_processes(std::vector<std::string> arguments);

}  // namespace oddsbound::cli
