// The privacy lock: measures specs, compares them with a lock, and makes promises.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/verify.h"
#include "base/answer.h"
#include "reports/check.h"
#include "reports/lock.h"

namespace oddsbound::app {

/// Measures a spec for the lock. lock_key: key of the HMAC that compares confidential content; empty: not compared.
/// Throws SpecError for errors in its files.
MeasuredSpec measure_for_lock(const std::string& file, const EvaluateOptions& options,
                              const std::string& lock_key = "");

/// Compares a lock with the current specs, by exact numbers.
/// - Failures: a level above its promise, a level that is no longer measured or has no promise, a missing or weaker
///   claim, a changed set of priors or public attribute, a missing spec.
/// - Undecided: an unfinished level whose upper bound exceeds its promise.
/// - Notes: new items; failures if strict.
///
/// now: by the names in the lock; missing: locked specs that no longer exist or are no longer files.
Checks compare_with_lock(const Lock& lock, const std::map<std::string, MeasuredSpec>& now,
                         const std::vector<std::string>& missing, bool strict);

/// Returns specs that are locked under an old name that no longer exists: new name -> name in the lock.
std::map<std::string, std::string> moved_specs(const Lock& lock, const std::map<std::string, MeasuredSpec>& now,
                                               const std::vector<std::string>& missing);

/// Returns a promise for every level of a spec that is not locked yet.
LockedSpec promises_for(const MeasuredSpec& now, const PromiseOptions& options);
/// Keeps the promises that hold, adds missing ones, and removes what is no longer measured. raises: broken promises
/// are replaced (a reason was given); otherwise they are kept.
LockedSpec renewed_promises(const LockedSpec& locked, const MeasuredSpec& now, const PromiseOptions& options,
                            bool raises);
/// The same for a lock of format 1: its exact levels become promises. No level may exceed them.
LockedSpec upgraded_promises(const LockedSpec& locked, const MeasuredSpec& now);

/// The relation of a level to its promise.
Answer promise_holds(const LockedLevelNow& now, const Level& promise);

}  // namespace oddsbound::app
