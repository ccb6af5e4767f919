#include "cli/shared_run.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/bytes.h"
#include "base/files.h"
#include "cluster/checkpoint.h"
#include "cluster/process_group.h"
#include "cluster/transport.h"
#include "specs/reading.h"

namespace oddsbound::cli {

namespace {

// Globals: a process has one MPI and one command line.
std::vector<std::string> arguments_of_program;
cluster::Transport* transport_of_process = nullptr;

// Options that do not affect a result, or that a resumed run may change.
const std::set<std::string> kFree{
    "--threads", "--jobs", "-j",       "--max-seconds", "--max-memory-mb", "--checkpoint", "--checkpoint-seconds",
    "--output",  "-o",     "--format", "--color"};

std::string digest_of_file(const std::string& path) {
  // Reading a pipe here would consume the run's input.
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return "is not a regular file";
  try {
    return base::sha256(specs::read_file(path, Limits()));
  } catch (const std::runtime_error&) {
    return "cannot be read";
  }
}

// Returns one line for each thing that the run's tasks depend on.
Bytes description_of(const std::vector<std::string>& files) {
  std::string text = "oddsbound " ODDSBOUND_VERSION "\n";
  for (std::size_t k = 0; k < arguments_of_program.size(); ++k) {
    const std::string& argument = arguments_of_program[k];
    if (kFree.contains(argument.substr(0, argument.find('=')))) {
      if (argument.find('=') == std::string::npos) ++k;
      continue;
    }
    text += argument + "\n";
  }
  for (const std::string& file : files) text += file + " " + digest_of_file(file) + "\n";
  return text;
}

// Rejects a checkpoint path that is also an input or output: the checkpoint and its lock are overwritten and
// removed.
void require_own_file(const std::string& path, const std::vector<std::string>& files,
                      const std::vector<Output>& outputs) {
  const auto require_other = [&](const std::string& file, const char* what) {
    if (file.empty() || (!is_same_file(path, file) && !is_same_file(base::target_of(path) + ".lock", file))) return;
    throw std::runtime_error("the checkpoint " + printable(path, 200) + " or its lock, " + printable(path, 200) +
                             ".lock, is also " + what);
  };
  for (const std::string& file : files) require_other(file, "a file that is read");
  for (const Output& output : outputs) require_other(output.file, "where a result is written");
  if (!path.ends_with(".json")) return;
  throw std::runtime_error("the checkpoint " + printable(path, 200) +
                           " would be taken for a spec when its folder is read: it needs another ending");
}

}  // namespace

void add_checkpoint(CLI::App& command, CheckpointOptions& options) {
  const std::string group = "Long runs";
  command
      .add_option("--checkpoint", options.path,
                  "Keep in this file what the same command goes on from if it is interrupted")
      ->type_name("FILE")
      ->group(group);
  command.add_option("--checkpoint-seconds", options.seconds, "Time between two writings of it")
      ->check(above_zero())
      ->capture_default_str()
      ->group(group);
}

struct SharedRun::State {
  std::optional<cluster::Checkpoint> checkpoint;
  std::string path;
  std::optional<cluster::ProcessGroup> group;
  bool is_complete = false;
};

SharedRun::~SharedRun() = default;

TaskScopes* SharedRun::scopes() { return state_->group ? &*state_->group : nullptr; }

SharedRun::SharedRun(const CheckpointOptions& options, const std::vector<std::string>& files,
                     const std::vector<Output>& outputs)
    : state_(std::make_unique<State>()) {
  state_->path = options.path;
  if (!options.path.empty()) require_own_file(options.path, files, outputs);
  cluster::Transport* transport = is_one_of_several() ? transport_of_process : nullptr;
  if (transport == nullptr && options.path.empty()) return;
  if (std::find(files.begin(), files.end(), "-") != files.end()) {
    throw std::runtime_error("standard input is for one process, which reads it once: found -, expected a file");
  }
  const Bytes run = description_of(files);
  const bool leads = transport == nullptr || transport->rank() == 0;
  if (leads && !options.path.empty()) {
    state_->checkpoint.emplace(options.path, run, std::chrono::duration<double>(options.seconds));
  }
  state_->group.emplace(transport, state_->checkpoint ? &*state_->checkpoint : nullptr, run);
}

void SharedRun::end(bool is_complete) {
  if (!state_->group) return;
  state_->group->wait_for_the_end();
  state_->group.reset();
  state_->is_complete = is_complete;
  if (state_->checkpoint && !is_complete) state_->checkpoint->write();
}

void SharedRun::is_told(bool is_written) {
  if (!state_->checkpoint) return;
  if (state_->is_complete && is_written) {
    state_->checkpoint->remove();
    return;
  }
  if (state_->is_complete) state_->checkpoint->write();
  tell("the checkpoint " + printable(state_->path, 200) +
       " holds what is known: the same command goes on from there\n");
}

bool is_one_of_several() { return transport_of_process != nullptr && transport_of_process->ranks() > 1; }

bool only_helps() { return is_one_of_several() && transport_of_process->rank() != 0; }

}  // namespace oddsbound::cli

namespace oddsbound::cluster {

void begin_program(std::vector<std::string> arguments, Transport* transport) {
  cli::arguments_of_program = std::move(arguments);
  cli::transport_of_process = transport;
  if (transport != nullptr) cli::expect_no_terminal();
}

}  // namespace oddsbound::cluster
