// The privacy lock: what specs measure now, how that compares with what is locked, and which promises are written.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/verify.h"
#include "reports/check.h"
#include "reports/lock.h"

namespace oddsbound::app {

/// Measures a spec for the lock. lock_key: of the HMAC by which confidential content is compared; empty: it is not.
/// Throws SpecError for what is wrong with its files.
MeasuredSpec measure_for_lock(const std::string& file, const EvaluateOptions& options,
                              const std::string& lock_key = "");

/// Compares what is locked with what is there now, by exact numbers. A failure: a level above its promise, one that is
/// no longer measured or that nothing promises, a claim that is gone or weaker, another set of priors or another public
/// attribute, a spec that is gone. A level that may lie above its promise, for its search was stopped, is undecided.
/// What is new is a note, and a failure if strict.
///
/// now: by the same names as the lock's specs; missing: locked specs that are gone, or are no files any more.
Checks compare_with_lock(const Lock& lock, const std::map<std::string, MeasuredSpec>& now,
                         const std::vector<std::string>& missing, bool strict);

/// Specs that are locked under another name, under which there is none any more: by name, that in the lock.
std::map<std::string, std::string> moved_specs(const Lock& lock, const std::map<std::string, MeasuredSpec>& now,
                                               const std::vector<std::string>& missing);

/// What is locked of a spec that was not: a promise for every level.
LockedSpec promises_for(const MeasuredSpec& now, const PromiseOptions& options);
/// Keeps the promises that hold, adds those that are missing, and leaves out what is no longer measured. raises: those
/// that do not hold are replaced (somebody gave a reason); else they stay.
LockedSpec renewed_promises(const LockedSpec& locked, const MeasuredSpec& now, const PromiseOptions& options,
                            bool raises);
/// The same of a lock of format 1, whose exact levels become promises. Nothing may exceed them.
LockedSpec upgraded_promises(const LockedSpec& locked, const MeasuredSpec& now);

/// How far a level stands from its promise.
enum class PromiseState { kKept, kBroken, kOpen };
PromiseState state_of(const LockedLevelNow& now, const Level& promise);

}  // namespace oddsbound::app
