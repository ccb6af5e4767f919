// The privacy lock (api.h).
#include <algorithm>
#include <cstdlib>

#include "api/api.h"
#include "app/lock.h"

namespace oddsbound::api {

namespace {

const char* const kUpgradeFirst = "this lock is of format 1: convert it with 'oddsbound lock upgrade --reason ...'";

// The first reason why the specs cannot be locked; nullopt if there is none.
std::optional<FileError> obstacle(const MeasuredSpecs& now) {
  if (!now.errors.empty()) return now.errors.front();
  for (const auto& [name, spec] : now.specs) {
    if (spec.open.empty()) continue;
    const auto& [key, reason] = *spec.open.begin();
    return file_error(spec.file, key + " is undecided, and cannot be locked: " + reason);
  }
  return std::nullopt;
}

// Renews the promises. A spec that moved keeps its promises.
void take_in(Lock& lock, const MeasuredSpecs& now, const LockOptions& options, bool raises) {
  for (const auto& [name, from] : moved_specs(lock, now.specs, now.missing)) lock.specs[name] = lock.specs.at(from);
  for (const std::string& gone : now.missing) lock.specs.erase(gone);
  for (const auto& [name, spec] : now.specs) {
    lock.specs[name] = renewed_promises(lock.specs[name], spec, options, raises);
  }
}

}  // namespace

bool is_without_promise(const Check& check) { return check.message.starts_with(kNotLocked); }

MeasuredSpecs measure(const LockedFiles& specs, const LockOptions& options, const Context& context) {
  const char* key = std::getenv("ODDSBOUND_LOCK_KEY");
  const std::string lock_key = key == nullptr ? "" : key;
  MeasuredSpecs now;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const auto& [name, file] = specs[i];
    if (context.progress) context.progress(i + 1, specs.size(), file.path);
    auto spec =
        as_expected(file.path, [&] { return measure_for_lock(file.path, options.smt, context.limits, lock_key); });
    if (spec) {
      now.specs.emplace(name, *std::move(spec));
    } else {
      add_errors(spec.error(), now.errors);
    }
  }
  return now;
}

MeasuredSpecs measure(const LockedFiles& specs, const Lock& lock, const LockOptions& options, const Context& context) {
  MeasuredSpecs now = measure(specs, options, context);
  for (const auto& [name, spec] : lock.specs) {
    const auto is_named = [&name = name](const auto& one) { return one.first == name; };
    if (std::none_of(specs.begin(), specs.end(), is_named)) now.missing.push_back(name);
  }
  return now;
}

Expected<Lock> lock(const LockedFiles& specs, const LockOptions& options, const Context& context) {
  Lock lock;
  for (const auto& [name, file] : specs) lock.paths.push_back(name);
  if (const auto error = renew(lock, measure(specs, options, context), options)) return *error;
  return lock;
}

Expected<Lock> read_lock(const Text& text, const Context& context) {
  return within(context.limits, text.name,
                [&](Budget& budget) { return reports::read_lock(text.name, text.text, budget); });
}

Checks check(const Lock& lock, const MeasuredSpecs& now, const LockOptions& options) {
  Checks checks = compare_with_lock(lock, now.specs, now.missing, options.strict);
  // A spec with an error is neither missing nor changed: nothing was decided about it.
  for (const FileError& error : now.errors) checks.list.push_back(check_of(error));
  checks.exit_status = status_of(checks);
  return checks;
}

std::optional<FileError> renew(Lock& lock, const MeasuredSpecs& now, const LockOptions& options) {
  if (lock.format == 1) return file_error("", kUpgradeFirst);
  if (auto error = obstacle(now)) return error;
  for (const Check& one : check(lock, now).list) {
    const bool fails = one.outcome == Outcome::kFail && !is_without_promise(one);
    if (fails || one.outcome == Outcome::kUndecided) return file_error(one.suite, one.title + " " + one.message);
  }
  take_in(lock, now, options, false);
  return std::nullopt;
}

Expected<std::vector<std::string>> accept(Lock& lock, const MeasuredSpecs& now, const std::string& reason,
                                          const LockOptions& options) {
  if (lock.format == 1) return file_error("", kUpgradeFirst);
  if (const auto error = obstacle(now)) return *error;
  std::vector<std::string> changes;
  for (const Check& one : check(lock, now).list) {
    if (one.outcome != Outcome::kPass) changes.push_back(one.suite + ": " + one.title + " " + one.message);
  }
  if (changes.empty()) return changes;
  lock.accepted.push_back({reason, changes});
  take_in(lock, now, options, true);
  return changes;
}

std::optional<FileError> upgrade(Lock& lock, const MeasuredSpecs& now, const std::string& reason) {
  if (lock.format != 1) return file_error("", "this lock is of format 2 already");
  if (auto error = obstacle(now)) return error;
  if (!now.missing.empty())
    return file_error(now.missing.front(), "is locked, and there is no such file: restore it to convert the lock");
  for (const auto& [name, locked] : lock.specs) {
    if (!now.specs.contains(name)) return file_error(name, "is locked and was not measured: upgrade all specs at once");
  }
  std::vector<std::string> changes{"format 1 to format 2: exact levels became promises"};
  for (const Check& one : check(lock, now).list) {
    const bool is_new = is_without_promise(one) || one.message.starts_with("is new");
    if (one.outcome == Outcome::kNote && !is_new) continue;
    if (one.outcome == Outcome::kPass) continue;
    if (!is_new) return file_error(one.suite, one.title + " " + one.message);
    changes.push_back(one.suite + ": " + one.title + " " + one.message);
  }
  for (const auto& [name, spec] : now.specs) {
    const auto locked = lock.specs.find(name);
    lock.specs[name] = locked == lock.specs.end() ? promises_for(spec, {}) : upgraded_promises(locked->second, spec);
  }
  // Earlier accepted changes contain exact levels. Only changes that certainly concern public tables are kept.
  const auto may_stay = [&](const std::string& change) {
    return std::any_of(now.specs.begin(), now.specs.end(), [&](const auto& spec) {
      return !spec.second.confidential &&
             (change.starts_with(spec.first + ": ") || change.starts_with(spec.second.file + ": "));
    });
  };
  for (Acceptance& acceptance : lock.accepted) {
    for (std::string& change : acceptance.changes) {
      if (!may_stay(change)) change = "a change that was accepted under format 1";
    }
  }
  lock.accepted.push_back({reason, changes});
  lock.format = kLockFormat;
  return std::nullopt;
}

}  // namespace oddsbound::api
