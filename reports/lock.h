// The privacy lock: a promise for every level, in a file that is reviewed like code. A later check measures the specs
// again and fails where a level exceeds its promise, so that no change loosens privacy unnoticed.
//
// Format 2 rounds the promises of levels that depend on a confidential table (publishable.h). Format 1, of versions up
// to 0.5, has the exact levels; it is still read and compared.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/budget.h"
#include "reports/environment.h"
#include "verifier/model/model.h"

namespace oddsbound::reports {

/// A claim as it is written. In a lock: "holds: 3/2", "refuted, tight: 1", "holds" of a claim without a bound.
struct LockedClaim {
  bool expect_holds = true;
  bool tight = false;
  std::string bound;  // a level, a delta, or a function of symbols; empty: the question says all

  std::string text() const;
  friend bool operator==(const LockedClaim&, const LockedClaim&) = default;
};

/// What is locked of a spec. Keys say what was measured ("bcdp age", "secret {...}"); values are in the grammar.
struct LockedSpec {
  std::map<std::string, std::string> bounds;  // that stand beside levels; like `levels`
  std::set<std::string> by_content;           // what is not measured in numbers: any change of the content fails
  std::map<std::string, std::vector<LockedClaim>> claims;  // by question
  /// A digest of what matters in its files (specs/source_file.h): "sha256:...", of confidential content
  /// "hmac-sha256:..."; empty where there was no key for that. Format 1: the SHA-256 alone.
  std::string content;
  std::map<std::string, std::string> deltas;    // that may not be exceeded
  std::map<std::string, std::string> levels;    // likewise; format 1: "2 to 9/4" where a search was stopped
  std::vector<std::string> public_attributes;   // whom the levels are about
  std::map<std::string, std::string> sets;      // of priors, by name: a digest like `content`
  std::map<std::string, std::string> verdicts;  // of claims of which no number says all

  friend bool operator==(const LockedSpec&, const LockedSpec&) = default;
};

/// What was accepted, and why.
struct Acceptance {
  std::string reason;
  std::vector<std::string> changes;
};

inline constexpr int kLockFormat = 2;

struct Lock {
  int format = kLockFormat;
  std::vector<std::string> paths;           // what is locked: files and directories, relative to the lock's directory
  std::map<std::string, LockedSpec> specs;  // by file, relative to the same
  std::vector<Acceptance> accepted;
};

/// What holds of every measured number: how it may be written, and where it comes from.
struct QuantityFacts {
  bool confidential = false;  // it depends on a confidential table: others see it rounded
  bool of_prior = false;      // it depends on the prior: headroom is left for changes of the table
  std::string words{};        // who leaks what, as others may read it
};
struct LockedLevelNow {
  Level lower, upper;  // equal where the level is known
  QuantityFacts facts{};
  bool of_analysis = false;  // `analyze` shows it without a claim
};
struct LockedDeltaNow {
  Number delta;
  QuantityFacts facts{};
};

/// A spec as it is now. Levels that a limit left open are in `open`, with the reason.
struct MeasuredSpec {
  std::string file;               // as errors name it
  std::vector<std::string> read;  // all files it was read from
  bool confidential = false;
  std::map<std::string, LockedLevelNow> bounds;  // "bound of Proposition 4: bcdp age"; format 1 had none
  std::map<std::string, LockedLevelNow> levels;
  std::map<std::string, LockedDeltaNow> deltas;
  std::map<std::string, std::string> verdicts;
  std::map<std::string, std::string> verdict_words;  // by key: who leaks what
  std::map<std::string, std::vector<LockedClaim>> claims;
  std::vector<std::string> public_attributes;
  std::map<std::string, std::string> sets;
  std::set<std::string> by_content;
  std::string content;                              // as format 2 locks it
  std::string content_hash;                         // as format 1 did
  std::map<std::string, std::string> earlier_keys;  // by key: that of format 1, where it was another one
  std::map<std::string, SourcePlace> places;        // key: a claim about it
  std::map<std::string, std::string> open;
  std::string open_bounds;  // why bounds beside levels were not measured; empty: they were
  /// Notions of which some claim is open whose key could not be made either; "loss": of all pairs.
  std::set<std::string> open_notions;
};

/// Specs as they are now, by their names in a lock.
struct MeasuredSpecs {
  std::map<std::string, MeasuredSpec> specs;
  std::vector<std::string> missing;  // that are locked, and gone
  std::vector<FileError> errors;     // of specs about which nothing is decided then
};

/// How promises are made.
struct PromiseOptions {
  /// By how much more than it measures a promise that depends on the prior allows: 1/20 for 5 %.
  Number headroom{0};
  /// Promises that allow more than a new one would are lowered.
  bool tighten = false;
};

/// The two ends of a locked level: twice the same where it is one number. Their texts; throws nothing.
std::pair<std::string, std::string> ends_of_level(const std::string& text);
/// Of one end. Throws std::runtime_error for what is no level.
Level level_of_text(const std::string& text);
/// Of a locked delta. Throws std::runtime_error for what is no number.
Number number_of_text(const std::string& text);

/// Of a delta that is locked because a level is infinite: that level's key. Others are not changed.
std::string level_before_infinity(const std::string& delta_key);
inline constexpr const char* kDeltaAt = ": delta at epsilon ";

/// Keys sorted, one value per line.
std::string lock_text(const Lock& lock);
/// Throws SpecError for what is no lock, with advice where a merge left its conflict markers.
Lock read_lock(const std::string& path, const std::string& text, Budget& budget);

/// The message of a check that passed without a comparison of contents, as there is no key for it.
inline constexpr const char* kContentNotCompared = "content not compared";

/// How the message of a check begins that fails because nothing promises a level yet.
inline constexpr const char* kNotLocked = "is not locked";

/// In `by_content`: the levels are no numbers (symbols) or are not known (continuous outputs).
inline constexpr const char* kAllLevels = "every level";

}  // namespace oddsbound::reports
