// What the privacy lock is made of and compared with: the present levels of specs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "results/check.h"
#include "results/lock.h"
#include "runs/verify.h"

namespace oddsbound::runs {

/// Measures a spec for the lock. Throws SpecError for what is wrong with its files.
MeasuredSpec measure_for_lock(const std::string& file, const EvaluateOptions& options);

/// Compares what is locked with what is there now, by exact numbers. A level that grew or is no longer measured is a
/// failure, as is a spec that is gone; what only became better or new is a note, and a failure if strict.
///
/// now: by the same names as the lock's specs; missing: locked specs that are gone, or are no files any more.
Checks compare_with_lock(const Lock& lock, const std::map<std::string, MeasuredSpec>& now,
                         const std::vector<std::string>& missing, bool strict);

}  // namespace oddsbound::runs
