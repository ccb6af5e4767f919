// The privacy lock.
#include <algorithm>

#include "api/errors_as_values.h"
#include "oddsbound/oddsbound.h"
#include "runs/lock.h"

namespace oddsbound {

namespace {

// Why nothing can be locked of it.
std::optional<FileError> obstacle(const MeasuredSpecs& now) {
  if (!now.errors.empty()) return now.errors.front();
  for (const auto& [name, spec] : now.specs) {
    if (spec.open.empty()) continue;
    const auto& [key, reason] = *spec.open.begin();
    return file_error(spec.file, key + " is undecided, and cannot be locked: " + reason);
  }
  return std::nullopt;
}

}  // namespace

Expected<Lock> lock(const std::vector<std::pair<std::string, File>>& specs, const Context& context) {
  Lock lock;
  for (const auto& [name, file] : specs) lock.paths.push_back(name);
  if (const auto error = renew(lock, measure(specs, {}, context))) return *error;
  return lock;
}

Checks check(const Lock& lock, const std::vector<std::pair<std::string, File>>& specs, bool strict,
             const Context& context) {
  MeasuredSpecs now = measure(specs, {}, context);
  for (const auto& [name, spec] : lock.specs) {
    const bool given = std::any_of(specs.begin(), specs.end(), [&](const auto& one) { return one.first == name; });
    if (!given) now.missing.push_back(name);
  }
  return check(lock, now, strict);
}

Expected<Lock> read_lock(const Text& text, const Context& context) {
  return as_expected(text.name, [&] {
    Budget budget(context.limits);
    return read_lock(text.name, text.text, budget);
  });
}

MeasuredSpecs measure(const std::vector<std::pair<std::string, File>>& specs, const SmtOptions& smt,
                      const Context& context) {
  EvaluateOptions options;
  options.limits = context.limits;
  options.smt = smt;
  MeasuredSpecs now;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const auto& [name, file] = specs[i];
    if (context.progress) context.progress(i + 1, specs.size(), file.path);
    auto spec = as_expected(file.path, [&] { return measure_for_lock(file.path, options); });
    if (spec) {
      now.specs.emplace(name, *std::move(spec));
    } else {
      now.errors.push_back(spec.error());
    }
  }
  return now;
}

Checks check(const Lock& lock, const MeasuredSpecs& now, bool strict) {
  Checks checks = compare_with_lock(lock, now.specs, now.missing, strict);
  // A spec with an error is neither missing nor changed: nothing was decided about it.
  for (const FileError& error : now.errors) checks.list.push_back(check_of(error));
  checks.exit_status = status_of(checks);
  return checks;
}

std::optional<FileError> renew(Lock& lock, const MeasuredSpecs& now) {
  if (auto error = obstacle(now)) return error;
  for (const std::string& gone : now.missing) lock.specs.erase(gone);
  for (const auto& [name, spec] : now.specs) lock.specs[name] = spec.now;
  return std::nullopt;
}

Expected<std::vector<std::string>> accept(Lock& lock, const MeasuredSpecs& now, const std::string& reason) {
  if (const auto error = obstacle(now)) return *error;
  std::vector<std::string> changes;
  for (const Check& one : check(lock, now).list) {
    if (one.outcome != Outcome::kPass) changes.push_back(one.suite + ": " + one.title + " " + one.message);
  }
  if (changes.empty()) return changes;
  lock.accepted.push_back({reason, changes});
  renew(lock, now);
  return changes;
}

}  // namespace oddsbound
