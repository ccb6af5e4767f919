// lock write, check, accept, upgrade: the privacy lock of a project.
#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <set>
#include <span>

#include "api/api.h"
#include "base/files.h"
#include "cli/common.h"
#include "cli/files.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "reports/layout.h"
#include "reports/words.h"
#include "specs/reading.h"

namespace oddsbound::cli {

namespace {

namespace fs = std::filesystem;

struct LockArguments {
  std::string lock = "oddsbound.lock.json";  // the lock's file
  std::vector<std::string> paths;            // none: everything that is locked
  Limits limits;
  std::string reason;
  std::string headroom = "0%";
  LockOptions options;
  bool verbose = false;
  std::unique_ptr<Outputs> outputs;
};

// The files that a lock covers

// Returns the path as the lock names it: relative to the lock's folder, with '/'. Follows links in folders but
// not in the last component: a name stands for the file that opening it yields.
std::string name_in_lock(const std::string& path, const std::string& lock) {
  const auto folder_of = [](const fs::path& file) {
    return fs::weakly_canonical(fs::absolute(file).parent_path().empty() ? "/" : fs::absolute(file).parent_path());
  };
  fs::path file = path;
  // "specs/", "." and ".." name the folder itself.
  const std::string last = file.filename().string();
  const bool itself = last.empty() || last == "." || last == "..";
  const fs::path whole = itself ? fs::weakly_canonical(fs::absolute(file)) : folder_of(file) / last;
  std::string name = whole.lexically_relative(folder_of(lock)).generic_string();
  if (name.size() > 1 && name.ends_with('/')) name.pop_back();
  return name;
}

// Returns the path of a name in the lock.
std::string path_of_name(const std::string& name, const std::string& lock) {
  return (fs::path(lock).parent_path() / name).string();
}

// True if the path names this locked file or a folder above it.
bool is_meant(const std::string& name, const std::string& path, const LockArguments& request) {
  // For a folder that no longer exists, only its name can be compared.
  const std::string own = name_in_lock(path, request.lock);
  if (name == own || name.starts_with(own + "/")) return true;
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return false;
  const fs::path file = fs::absolute(path_of_name(name, request.lock)).lexically_normal();
  const fs::path whole = fs::weakly_canonical(file.parent_path(), ignored) / file.filename();
  const fs::path below = whole.lexically_relative(fs::canonical(path, ignored));
  return !below.empty() && *below.begin() != "..";
}

// True if the path does not exist or is a directory. An unreadable file is not gone: reading it reports the error.
bool is_gone(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return status.type() == fs::file_type::not_found || fs::is_directory(status);
}

// Returns the files to compare: those given, or the lock's own.
std::vector<std::string> files_to_measure(const LockArguments& request, const Lock& lock,
                                          std::vector<FileError>& wrong) {
  std::vector<std::string> paths = request.paths;
  if (paths.empty()) {
    for (const std::string& name : lock.paths) {
      const std::string path = path_of_name(name, request.lock);
      std::error_code error;
      if (!fs::is_directory(path, error)) continue;
      std::vector<FileError> errors;
      for (const std::string& file : expand_paths(std::span(&path, 1), errors, Skipped::kQuiet)) paths.push_back(file);
      // An empty folder is reported by its locked specs, which are missing.
      std::erase_if(errors, [](const FileError& e) { return e.message == kNoSpecs; });
      wrong.insert(wrong.end(), errors.begin(), errors.end());
    }
    for (const auto& [name, spec] : lock.specs) paths.push_back(path_of_name(name, request.lock));
  }
  // A locked file that no longer exists is reported as missing, not as an error.
  std::erase_if(paths, [&](const std::string& path) {
    return lock.specs.contains(name_in_lock(path, request.lock)) && is_gone(path);
  });
  return paths.empty() ? paths : expand_paths(paths, wrong, Skipped::kQuiet);
}

// Measures the locked specs that the arguments cover, and new ones in the folders that they or the lock name.
MeasuredSpecs measure_present(const LockArguments& request, const Lock& lock) {
  std::vector<FileError> wrong;
  std::vector<std::pair<std::string, File>> specs;
  const std::string own_name = name_in_lock(request.lock, request.lock);
  std::set<std::string> tried{own_name};
  for (const std::string& file : files_to_measure(request, lock, wrong)) {
    const std::string name = name_in_lock(file, request.lock);
    if (tried.insert(name).second) specs.emplace_back(name, File{file});
  }
  tried.erase(own_name);
  Progress progress;
  MeasuredSpecs present = measure(specs, request.options, {request.limits, progress.shown()});
  present.errors.insert(present.errors.begin(), wrong.begin(), wrong.end());
  // A locked spec that was not found by its name is missing, whatever the reason: none is dropped silently.
  for (const auto& [name, spec] : lock.specs) {
    const auto covers = [&](const std::string& path) { return is_meant(name, path, request); };
    const bool meant = request.paths.empty() || std::any_of(request.paths.begin(), request.paths.end(), covers);
    if (meant && !tried.contains(name)) present.missing.push_back(name);
  }
  return present;
}

// Commands

Lock read_lock_file(const LockArguments& request) {
  std::error_code ignored;
  if (!fs::exists(request.lock, ignored)) {
    throw SpecError({request.lock, 0, 0, ""}, "there is no privacy lock here",
                    "make one with 'oddsbound lock write SPECS'");
  }
  const Context context{request.limits, {}};
  Expected<Lock> lock = read_lock(Text{read_file(request.lock, request.limits), request.lock}, context);
  if (lock) return *std::move(lock);
  std::vector<SpecError> errors;
  std::vector<FileError> found;
  add_errors(lock.error(), found);
  for (const FileError& error : found) errors.emplace_back(error.place, error.message, error.hint);
  throw SpecErrors(std::move(errors));
}

// Held from reading the lock to writing it. Otherwise concurrent runs would write what each had read, and only the
// last one's changes would survive.
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
  for (const Check* check : worst_first(checks)) {
    // Errors are on standard error already.
    if (check->outcome == Outcome::kError) continue;
    const char* mark = check->outcome == Outcome::kNote ? "note" : check->outcome == Outcome::kUndecided ? "?" : "FAIL";
    text += fmt::format("{}: {}: {}\n", mark, printable(check->suite, 200), check->line());
    if (request.verbose && !check->brief.empty()) text += "      " + check->message + "\n";
  }
  const auto not_compared = static_cast<std::size_t>(std::count_if(
      checks.list.begin(), checks.list.end(), [](const Check& check) { return check.message == kContentNotCompared; }));
  text += fmt::format("{}: {} as locked, {}, {}, {} undecided", printable(request.lock, 200),
                      checks.count(Outcome::kPass) - not_compared, counted(checks.count(Outcome::kFail), "failure"),
                      counted(checks.count(Outcome::kNote), "note"), checks.count(Outcome::kUndecided));
  if (const std::size_t errors = checks.count(Outcome::kError)) text += ", " + counted(errors, "error");
  text += "\n";
  if (not_compared > 0) {
    text += "Content not compared: " + counted(not_compared, "spec") + " with a confidential table. " +
            "To compare it, set ODDSBOUND_LOCK_KEY when the lock is written and checked.\n";
  }
  if (checks.count(Outcome::kFail) > 0) {
    text += "If this change is intended: oddsbound lock accept --reason '...'\n";
    const bool has_more =
        std::any_of(checks.list.begin(), checks.list.end(), [](const Check& c) { return !c.brief.empty(); });
    if (has_more && !request.verbose) text += "Values and witnesses of what grew: -v\n";
  }
  return reports::wrapped_lines(text, text_width());
}

// Complains about errors and undecided levels. Returns true if everything can be locked.
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

// Writes the lock without paths that no longer exist. Throws if no spec would be left in it.
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
  const Checks checks = check(lock, present, request.options);
  return write_checks(*request.outputs, checks, text_of(checks, request));
}

// A lock of format 1 is read for comparison but never written.
int fail_for_format(const LockArguments& request) {
  complain(printable(request.lock, 200) +
           " has format 1, with exact levels: convert it with 'oddsbound lock upgrade --reason ...'");
  return kUsage;
}

// Complains about broken promises and about levels that may break one: rewriting the lock would hide them. Returns
// 0 if there are none, otherwise the exit status.
int what_stands_against(const Lock& lock, const MeasuredSpecs& present, const LockArguments& request) {
  int status = 0;
  for (const Check& check : check(lock, present).list) {
    const bool fails = check.outcome == Outcome::kFail && !is_without_promise(check);  // a new promise covers it
    if (!fails && check.outcome != Outcome::kUndecided) continue;
    complain(printable(check.suite, 200) + ": " + check.line());
    status = fails ? 1 : status == 0 ? 3 : status;
  }
  if (status == 1) {
    complain(printable(request.lock, 200) +
             " is not written, because promises in it are broken: undo the change, or accept it with 'oddsbound lock "
             "accept --reason ...'");
  }
  if (status == 3) {
    complain(printable(request.lock, 200) +
             " is not written, because a limit was reached before all promises were decided: raise the limit");
  }
  return status;
}

int run_write(const LockArguments& request) {
  if (std::find(request.paths.begin(), request.paths.end(), "-") != request.paths.end()) {
    complain("standard input cannot be locked: name the file of the spec");
    return kUsage;
  }
  const FileLock held = hold_lock_file(request);
  Lock lock;
  std::error_code ignored;
  const bool rewrites = fs::exists(request.lock, ignored);
  if (!rewrites && request.paths.empty()) {
    complain("found no lock " + printable(request.lock, 200) +
             " to write again, expected spec files or folders to lock");
    return kUsage;
  }
  if (rewrites) lock = read_lock_file(request);
  const MeasuredSpecs present = measure_present(request, lock);
  if (!can_be_locked(present)) return present.errors.empty() ? 3 : kUsage;
  if (lock.format == 1) return fail_for_format(request);
  if (const int status = what_stands_against(lock, present, request)) return status;
  for (const std::string& path : request.paths) {
    const std::string name = name_in_lock(path, request.lock);
    if (std::find(lock.paths.begin(), lock.paths.end(), name) == lock.paths.end()) lock.paths.push_back(name);
  }
  std::sort(lock.paths.begin(), lock.paths.end());
  if (const auto error = renew(lock, present, request.options)) throw std::runtime_error(error->text());
  write_lock(lock, request);
  const auto unmeasured = std::count_if(present.specs.begin(), present.specs.end(),
                                        [](const auto& spec) { return !spec.second.by_content.empty(); });
  for (const auto& [name, spec] : present.specs) {
    if (spec.by_content.empty() || !spec.content.empty()) continue;
    tell("note: " + printable(spec.file, 200) +
         ": no levels of it are locked, only its content, which is confidential. Set ODDSBOUND_LOCK_KEY to a secret "
         "key: without it, every check is undecided, with exit status 3\n");
  }
  std::string text = fmt::format("{}: {} locked", printable(request.lock, 200), counted(lock.specs.size(), "spec"));
  if (unmeasured > 0) text += fmt::format(", {} of them by content: any change of these will fail", unmeasured);
  return write_text(text + "\n") ? 0 : kUsage;
}

// A promise may be raised while a claim of the spec still says less: 'verify' then fails where 'lock check' passes.
void tell_of_failing_claims(const MeasuredSpecs& present) {
  for (const auto& [name, spec] : present.specs) {
    for (const std::string& claim : spec.failing) {
      tell("note: " + printable(spec.file, 200) + ": the claim '" + claim +
           "' is not as expected now: 'oddsbound verify' fails\n");
    }
  }
}

int run_accept(const LockArguments& request) {
  if (request.reason.find_first_not_of(" \t\n") == std::string::npos) {
    complain("--reason: found no text, expected the reason for the change");
    return kUsage;
  }
  const FileLock held = hold_lock_file(request);
  Lock lock = read_lock_file(request);
  if (lock.format == 1) return fail_for_format(request);
  const MeasuredSpecs present = measure_present(request, lock);
  if (!can_be_locked(present)) return present.errors.empty() ? 3 : kUsage;
  const auto changes = accept(lock, present, request.reason, request.options);
  if (!changes) throw std::runtime_error(changes.error().text());
  tell_of_failing_claims(present);
  if (changes->empty()) return write_text("nothing has changed: there is nothing to accept\n") ? 0 : kUsage;
  std::string text;
  for (const std::string& change : *changes) text += "accepted: " + printable(change, 1000) + "\n";
  write_lock(lock, request);
  return write_text(text) ? 0 : kUsage;
}

int run_upgrade(const LockArguments& request) {
  if (request.reason.find_first_not_of(" \t\n") == std::string::npos) {
    complain("--reason: found no text, expected the reason for the conversion");
    return kUsage;
  }
  const FileLock held = hold_lock_file(request);
  Lock lock = read_lock_file(request);
  const MeasuredSpecs present = measure_present(request, lock);
  if (!can_be_locked(present)) return present.errors.empty() ? 3 : kUsage;
  if (const auto error = upgrade(lock, present, request.reason)) {
    const std::string& file = error->place.file;
    complain(printable(file.empty() ? request.lock : file, 200) + ": " + error->message);
    return lock.format == 1 ? 1 : kUsage;
  }
  write_lock(lock, request);
  return write_text(printable(request.lock, 200) +
                    ": format 2; earlier versions of this file, in version control, still have the exact levels\n")
             ? 0
             : kUsage;
}

template <typename Run>
std::function<int()> reported(std::shared_ptr<LockArguments> request, Run run) {
  return [request, run] {
    try {
      if (!has_directory(request->lock)) return kUsage;
      const std::optional<Number> headroom = read_share("--headroom", request->headroom);
      if (!headroom) return kUsage;
      request->options.headroom = *headroom;
      return run(*request);
    } catch (const SpecErrors& errors) {
      for (const SpecError& error : errors.all()) complain(error.what());
      return kUsage;
    } catch (const SpecError& error) {
      complain(error.what());
      return kUsage;
    }
  };
}

}  // namespace

Command lock_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("lock", "Keep a promise for every level in a file, so that no change exceeds it unnoticed");
  command->footer(
      "\nExample:\n"
      "  oddsbound lock write specs/gallery    # once; commit oddsbound.lock.json\n"
      "  oddsbound lock check                  # in CI\n"
      "  oddsbound lock accept --reason 'age is released with less noise'\n\n"
      "Levels that depend on a confidential table are rounded up. The content of such a table is compared by an HMAC\n"
      "with the key in the environment variable ODDSBOUND_LOCK_KEY, or not at all.\n\n"
      "Exit status of check: 0 every promise is kept, 1 a level exceeds its promise or is no longer measured, a claim\n"
      "became weaker, or a spec is gone, 2 the lock or a file is wrong, 3 a limit left something undecided.");
  command->require_subcommand(1);
  auto request = std::make_shared<LockArguments>();
  CLI::App* write = command->add_subcommand("write", "Write the lock. Existing promises are never raised");
  CLI::App* check = command->add_subcommand("check", "Compare the specs with the lock. Never writes");
  CLI::App* accept = command->add_subcommand("accept", "Raise broken promises to the current levels, with a reason");
  CLI::App* upgrade = command->add_subcommand(
      "upgrade", "Convert a lock of version 0.5, with exact levels, to promises, with a reason");
  for (CLI::App* one : {write, check, accept, upgrade}) {
    one->add_option("--lock", request->lock, "The lock's file")->type_name("FILE")->capture_default_str();
    add_limits(*one, request->limits);
    add_smt_limits(*one, request->options.smt);
  }
  write->add_option("specs", request->paths,
                    "Spec files and directories to lock, besides those in the lock. Default: those in the lock");
  check->add_option("specs", request->paths, "Only these of the locked specs. Default: all");
  accept->add_option("specs", request->paths, "Only these of the locked specs. Default: all");
  check->add_flag("--strict", request->options.strict,
                  "Also fail if a spec is new or has changed, even if every promise is kept");
  check->add_flag(
      "--verbose,-v", request->verbose,
      "Below each level that grew: its values, exact unless a table is confidential, and the output that shows "
      "it");
  request->outputs = std::make_unique<Outputs>(*check, formats_of_checks(), Outputs::With::kNothing);
  for (CLI::App* one : {accept, upgrade}) {
    one->add_option("--reason", request->reason, "The reason for the change, which the lock keeps")->required();
  }
  for (CLI::App* one : {write, accept}) {
    one->add_option(
           "--headroom", request->headroom,
           "How far a new promise exceeds a level that depends on the prior, so that a table may change a little. "
           "No promise exceeds the LDP level")
        ->type_name("PERCENT")
        ->capture_default_str();
  }
  write->add_flag("--tighten", request->options.tighten, "Also lower promises that allow more than new ones would");
  const auto of_write = reported(request, run_write);
  const auto of_check = reported(request, run_check);
  const auto of_accept = reported(request, run_accept);
  const auto of_upgrade = reported(request, run_upgrade);
  return {command, [=] {
            return write->parsed()    ? of_write()
                   : check->parsed()  ? of_check()
                   : accept->parsed() ? of_accept()
                                      : of_upgrade();
          }};
}

}  // namespace oddsbound::cli
