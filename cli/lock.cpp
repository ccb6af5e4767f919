// lock write, check, accept: the privacy lock of a project.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/file_lock.h"
#include "base/files.h"
#include "cli/common.h"
#include "cli/lock_files.h"
#include "cli/outputs.h"
#include "results/words.h"
#include "specs/reading.h"

namespace oddsbound::cli {

namespace {

namespace fs = std::filesystem;

struct LockArguments : LockRequest {
  std::string reason;
  bool strict = false;
  std::unique_ptr<Outputs> outputs;
};

Lock read_lock_file(const LockArguments& request) {
  std::error_code ignored;
  if (!fs::exists(request.lock, ignored)) {
    throw SpecError({request.lock, 0, 0, ""}, "there is no privacy lock here",
                    "make one with 'oddsbound lock write SPECS'");
  }
  const Context context{request.limits, {}};
  Expected<Lock> lock = read_lock(Text{read_file(request.lock, request.limits), request.lock}, context);
  if (lock) return *std::move(lock);
  throw SpecError(lock.error().place, lock.error().message, lock.error().hint);
}

// Held from reading the lock to writing it. Without it, runs at the same time would each write what they read, and all
// but the last would lose what they locked.
FileLock hold_lock_file(const LockArguments& request) {
  if (std::optional<FileLock> held = FileLock::take(request.lock)) return *std::move(held);
  tell("waiting for another run that writes " + printable(request.lock, 200) + "\n");
  return FileLock::wait(request.lock);
}

void complain_about(const std::vector<FileError>& errors) {
  for (const FileError& error : errors) complain(error.text());
}

std::string text_of(const Checks& checks, const LockArguments& request) {
  std::string text;
  for (const Check& check : checks.list) {
    // Errors stand on standard error.
    if (check.outcome == Outcome::kPass || check.outcome == Outcome::kError) continue;
    const char* mark = check.outcome == Outcome::kNote ? "note" : check.outcome == Outcome::kUndecided ? "?" : "FAIL";
    text += fmt::format("{}: {}: {} {}\n", mark, printable(check.suite, 200), check.title, check.message);
  }
  text += fmt::format("{}: {} as locked, {}, {}, {} undecided", printable(request.lock, 200),
                      checks.count(Outcome::kPass), counted(checks.count(Outcome::kFail), "failure"),
                      counted(checks.count(Outcome::kNote), "note"), checks.count(Outcome::kUndecided));
  if (const std::size_t errors = checks.count(Outcome::kError)) text += ", " + counted(errors, "error");
  text += "\n";
  if (checks.count(Outcome::kFail) > 0) {
    text += "what is meant to be so is accepted with: oddsbound lock accept --reason '...'\n";
  }
  return text;
}

// What of the present cannot be locked; empty if all can.
bool can_be_locked(const MeasuredSpecs& present) {
  complain_about(present.errors);
  bool open = false;
  for (const auto& [name, spec] : present.specs) {
    for (const auto& [key, reason] : spec.open) {
      open = true;
      complain(printable(spec.file, 200) + ": " + printable(key, 200) +
               " is undecided, and cannot be locked: " + reason);
    }
  }
  return present.errors.empty() && !open;
}

// Writes the lock without paths that lead nowhere any more, unless nothing would be left in it.
void write_lock(Lock lock, const LockArguments& request) {
  std::erase_if(lock.paths, [&](const std::string& name) {
    std::error_code error;
    return !fs::exists(path_of_name(name, request.lock), error) && !error;
  });
  if (lock.specs.empty()) throw std::runtime_error("no spec would be left in the lock: delete " + request.lock);
  write_whole(request.lock, lock_text(lock));
}

int run_check(LockArguments& request) {
  if (!request.outputs->resolve()) return kUsage;
  const Lock lock = read_lock_file(request);
  const MeasuredSpecs present = measure_present(request, lock);
  std::vector<std::string> read{request.lock};
  for (const auto& [name, spec] : present.specs) read.insert(read.end(), spec.read.begin(), spec.read.end());
  if (!request.outputs->spares(read)) return kUsage;
  complain_about(present.errors);
  const Checks checks = check(lock, present, request.strict);
  return write_checks(*request.outputs, checks, text_of(checks, request));
}

int run_write(const LockArguments& request) {
  if (std::find(request.paths.begin(), request.paths.end(), "-") != request.paths.end()) {
    complain("standard input cannot be locked: name a file");
    return kUsage;
  }
  const FileLock held = hold_lock_file(request);
  Lock lock;
  std::error_code ignored;
  const bool rewrites = fs::exists(request.lock, ignored);
  if (rewrites) lock = read_lock_file(request);
  const MeasuredSpecs present = measure_present(request, lock);
  if (!can_be_locked(present)) return present.errors.empty() ? 3 : kUsage;
  const Checks checks = check(lock, present);
  if (checks.count(Outcome::kFail) > 0) {
    for (const Check& check : checks.list) {
      if (check.outcome == Outcome::kFail)
        complain(printable(check.suite, 200) + ": " + check.title + " " + check.message);
    }
    complain(printable(request.lock, 200) +
             " is there already, and writing it anew would loosen it: "
             "use 'oddsbound lock accept --reason ...'");
    return 1;
  }
  for (const std::string& path : request.paths) {
    const std::string name = name_in_lock(path, request.lock);
    if (std::find(lock.paths.begin(), lock.paths.end(), name) == lock.paths.end()) lock.paths.push_back(name);
  }
  std::sort(lock.paths.begin(), lock.paths.end());
  renew(lock, present);
  write_lock(lock, request);
  const auto unmeasured = std::count_if(present.specs.begin(), present.specs.end(),
                                        [](const auto& spec) { return !spec.second.now.by_content.empty(); });
  std::string text = fmt::format("{}: {} locked", printable(request.lock, 200), counted(lock.specs.size(), "spec"));
  if (unmeasured > 0) text += fmt::format(", {} of them by content: any change of these will fail", unmeasured);
  return write_text(text + "\n") ? 0 : kUsage;
}

int run_accept(const LockArguments& request) {
  if (request.reason.find_first_not_of(" \t\n") == std::string::npos) {
    complain("--reason: a change is accepted for a reason");
    return kUsage;
  }
  const FileLock held = hold_lock_file(request);
  Lock lock = read_lock_file(request);
  const MeasuredSpecs present = measure_present(request, lock);
  if (!can_be_locked(present)) return present.errors.empty() ? 3 : kUsage;
  const auto changes = accept(lock, present, request.reason);
  if (!changes) throw std::runtime_error(changes.error().text());
  if (changes->empty()) return write_text("nothing has changed: there is nothing to accept\n") ? 0 : kUsage;
  std::string text;
  for (const std::string& change : *changes) text += "accepted: " + printable(change, 1000) + "\n";
  write_lock(lock, request);
  return write_text(text) ? 0 : kUsage;
}

template <typename Run>
std::function<int()> reported(std::shared_ptr<LockArguments> request, Run run) {
  return [request, run] {
    try {
      return run(*request);
    } catch (const SpecError& error) {
      complain(error.what());
      return kUsage;
    }
  };
}

}  // namespace

Command lock_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("lock", "Keep exact levels in a file, so that no change loosens them unnoticed");
  command->footer(
      "\nExample:\n"
      "  oddsbound lock write specs            # once; commit oddsbound.lock.json\n"
      "  oddsbound lock check                  # in CI\n"
      "  oddsbound lock accept --reason 'age is released less noisily, see issue 12'\n\n"
      "Exit status of check: 0 nothing grew, 1 a level grew or is no longer measured, or a spec is gone,\n"
      "2 the lock or a file is wrong, 3 a limit left a level undecided.");
  command->require_subcommand(1);
  auto request = std::make_shared<LockArguments>();
  CLI::App* write = command->add_subcommand("write", "Write the lock; what is locked already may not become looser");
  CLI::App* check = command->add_subcommand("check", "Compare the specs with the lock; never writes");
  CLI::App* accept = command->add_subcommand("accept", "Take the present levels into the lock, for a reason");
  for (CLI::App* one : {write, check, accept}) {
    one->add_option("--lock", request->lock, "The lock's file")->type_name("FILE")->capture_default_str();
    add_limits(*one, request->limits);
    add_smt_limits(*one, request->smt);
  }
  write
      ->add_option("specs", request->paths,
                   "Spec files and directories that are locked from then on, besides those that are")
      ->required();
  check->add_option("specs", request->paths, "Only these of the locked specs");
  accept->add_option("specs", request->paths, "Only these of the locked specs");
  check->add_flag("--strict", request->strict, "Fail also where levels shrank, or specs are new: the lock is stale");
  request->outputs = std::make_unique<Outputs>(*check, formats_of_checks());
  accept->add_option("--reason", request->reason, "Why; kept in the lock")->required();
  const auto of_write = reported(request, run_write);
  const auto of_check = reported(request, run_check);
  const auto of_accept = reported(request, run_accept);
  return {command, [=] { return write->parsed() ? of_write() : check->parsed() ? of_check() : of_accept(); }};
}

}  // namespace oddsbound::cli
