// The privacy lock: measures specs, compares them with a lock, and makes promises.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/verify.h"
#include "base/budget.h"
#include "reports/check.h"
#include "reports/lock.h"
#include "specs/spec.h"

namespace oddsbound::app {

/// Measures a spec for the lock. lock_key: key of the HMAC that compares confidential content; empty: not compared.
/// Throws SpecError for errors in its files.
MeasuredSpec measure_for_lock(const std::string& file, const SmtOptions& smt = {}, const Limits& limits = {},
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
LockedSpec promises_for(const MeasuredSpec& now, const LockOptions& options);
/// Keeps the promises that hold, adds missing ones, and removes what is no longer measured. raises: broken promises
/// are replaced (a reason was given); otherwise they are kept.
LockedSpec renewed_promises(const LockedSpec& locked, const MeasuredSpec& now, const LockOptions& options, bool raises);
/// The same for a lock of format 1: its exact levels become promises. No level may exceed them.
LockedSpec upgraded_promises(const LockedSpec& locked, const MeasuredSpec& now);

/// The relation of a level to its promise.
Answer promise_holds(const LockedLevelNow& now, const Level& promise);

// The keys of a lock's promises: one text for each question that a claim or a measurement answers.

// Text keys of claims' questions. Two questions have the same key if and only if they are equal, wherever they are in
// the file.
class Keys {
 public:
  // With symbols, numbers are functions, and the content in which they are written is locked.
  Keys(const Spec& spec, Budget& budget);

  /// The key of what is measured for a claim.
  std::string of_claim(const Claim& claim) const { return of(claim, Wanted::kMeasured, quoted_set(claim)); }
  /// The same in locks of format 1, where sets of priors are quoted as written.
  std::string of_format_1(const Claim& claim) const;
  /// The key of the question, without the claimed bound.
  std::string of_question(const Claim& claim) const { return of(claim, Wanted::kQuestion, quoted_set(claim)); }

  /// The name of a set of priors in the lock. Different sets with the same description get different names.
  std::string name_of_set(const Claim& claim) const;

 private:
  enum class Wanted { kMeasured, kFormat1, kQuestion };

  std::string quoted_set(const Claim& claim) const;

  std::string of(const Claim& claim, Wanted wanted, const std::string& set) const;

  const Spec& spec_;
  bool symbols_;
  Budget& budget_;
  std::map<std::string, std::set<std::string>> sets_;  // description -> contents
};

/// The key of one coordinate's level. A name that is not a plain word is quoted, so that it cannot be read as part of
/// a question.
std::string key_of_level(const std::string& key, const std::string& coordinate);
/// The key of a quantity of `analyze`: equal to the key of a claim with the same question.
std::string key_of_quantity(const std::string& notion, const std::string& coordinate,
                            const std::vector<std::string>& known);
std::string key_of_pair(const Label& from, const Label& to);

}  // namespace oddsbound::app
