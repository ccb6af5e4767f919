// The privacy lock.
#include "api/errors_as_values.h"
#include "base/errors.h"
#include "oddsbound/oddsbound.h"
#include "runs/lock.h"

namespace oddsbound {

namespace {

MeasuredSpec measured(const File& file, const Context& context) {
  EvaluateOptions options;
  options.limits = context.limits;
  return measure_for_lock(file.path, options);
}

}  // namespace

Expected<Lock> lock(const std::vector<std::pair<std::string, File>>& specs, const Context& context) {
  Lock lock;
  for (const auto& [name, file] : specs) {
    auto spec = as_expected(file.path, [&] {
      MeasuredSpec now = measured(file, context);
      if (now.open.empty()) return now;
      throw LimitError(now.open.begin()->first + " is undecided, and cannot be locked: " + now.open.begin()->second);
    });
    if (!spec) return spec.error();
    lock.paths.push_back(name);
    lock.specs[name] = std::move(spec->now);
  }
  return lock;
}

Checks check(const Lock& lock, const std::vector<std::pair<std::string, File>>& specs, bool strict,
             const Context& context) {
  std::map<std::string, MeasuredSpec> now;
  std::vector<Check> wrong;
  for (const auto& [name, file] : specs) {
    auto spec = as_expected(file.path, [&] { return measured(file, context); });
    if (spec) {
      now.emplace(name, std::move(*spec));
    } else {
      wrong.push_back(check_of(spec.error()));
    }
  }
  std::vector<std::string> missing;
  for (const auto& [name, spec] : lock.specs) {
    const bool given = std::any_of(specs.begin(), specs.end(), [&](const auto& one) { return one.first == name; });
    if (!given) missing.push_back(name);
  }
  Checks checks = compare_with_lock(lock, now, missing, strict);
  checks.list.insert(checks.list.end(), wrong.begin(), wrong.end());
  checks.exit_status = status_of(checks);
  return checks;
}

}  // namespace oddsbound
