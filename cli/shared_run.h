// A run that other processes take part in (oddsbound-mpi), and that a checkpoint is kept of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/common.h"
#include "cli/outputs.h"
#include "cluster/crew.h"

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

  /// Null: there are no other processes, and no checkpoint.
  TaskScopes* scopes() { return crew_ ? &*crew_ : nullptr; }
  /// The work is done, and what follows is for the process that leads alone: for others this does not return. What
  /// was left open is kept.
  void end(bool is_complete);
  /// The result is where it was to go, or could not be written. A checkpoint that is of use is kept, and said.
  void is_told(bool is_written);

 private:
  std::optional<cluster::Checkpoint> checkpoint_;
  std::string path_;
  std::optional<cluster::Crew> crew_;
  bool is_complete_ = false;
};

/// Whether there are other processes of this run.
bool is_one_of_several();
/// Whether this one is not the one that leads: it has nothing to write or to say.
bool only_helps();

/// What the program was begun with, and the post that it has: for main alone. Null for none, both outlive all runs.
void begin_program(std::vector<std::string> arguments, cluster::Post* post);

}  // namespace oddsbound::cli
