// The privacy lock: a promise for every level, in a file that is reviewed like code. A check measures the specs again
// and fails if a level exceeds its promise.
//
// Format 2 rounds the promises of levels that depend on a confidential table (publishable.h). Format 1 (versions up
// to 0.5) has exact levels; it is still read and compared.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/budget.h"
#include "specs/spec_error.h"
#include "verifier/model/model.h"

namespace oddsbound::reports {

/// A claim as written. In a lock: "holds: 3/2", "refuted, tight: 1", or "holds" for a claim without a bound.
struct LockedClaim {
  bool expect_holds = true;
  bool tight = false;
  std::string bound;  // a level, a delta, or a function of symbols; may be empty

  std::string text() const;
  friend bool operator==(const LockedClaim&, const LockedClaim&) = default;
};

/// The locked content of a spec. Keys name the quantity ("bcdp age", "secret {...}"); values are in the grammar.
struct LockedSpec {
  std::map<std::string, std::string> bounds;               // bounds next to levels; like `levels`
  std::set<std::string> by_content;                        // not measured in numbers: any change of content fails
  std::map<std::string, std::vector<LockedClaim>> claims;  // by question
  /// A digest of the relevant content of its files (specs/source_file.h): "sha256:...", or "hmac-sha256:..." for
  /// confidential content. Empty if there was no key. Format 1: the bare SHA-256.
  std::string content;
  std::map<std::string, std::string> deltas;    // upper bounds
  std::map<std::string, std::string> levels;    // upper bounds; format 1: "2 to 9/4" for an unfinished search
  std::vector<std::string> public_attributes;   // the levels assume these are known
  std::map<std::string, std::string> sets;      // of priors, by name: a digest like `content`
  std::map<std::string, std::string> verdicts;  // of claims that numbers do not fully describe

  friend bool operator==(const LockedSpec&, const LockedSpec&) = default;
};

/// A change that was accepted, with its reason.
struct Acceptance {
  std::string reason;
  std::vector<std::string> changes;
};

inline constexpr int kLockFormat = 2;

struct Lock {
  int format = kLockFormat;
  std::vector<std::string> paths;           // locked files and directories, relative to the lock's directory
  std::map<std::string, LockedSpec> specs;  // by file, relative to the same
  std::vector<Acceptance> accepted;
};

/// Facts about a measured number: how it may be written, and where it comes from.
struct QuantityFacts {
  bool confidential = false;  // depends on a confidential table: published rounded
  bool of_prior = false;      // depends on the prior: gets headroom for changes of the table
  std::string words{};        // the witness, as it may be published
};
struct LockedLevelNow {
  Level lower, upper;  // equal if the level is known
  QuantityFacts facts{};
  bool of_analysis = false;  // shown by `analyze` without a claim
};
struct LockedDeltaNow {
  Number delta;  // an upper bound, if it is not known exactly
  QuantityFacts facts{};
  std::optional<Number> at_least{};  // if it is not known exactly
};

/// The current state of a spec. Levels that a limit left undecided are in `open`, with the reason.
struct MeasuredSpec {
  std::string file;               // name in error messages
  std::vector<std::string> read;  // all files it was read from
  bool confidential = false;
  std::map<std::string, LockedLevelNow> bounds;  // "bound of Proposition 4: bcdp age"; not in format 1
  std::map<std::string, LockedLevelNow> levels;
  std::map<std::string, LockedDeltaNow> deltas;
  std::map<std::string, std::string> verdicts;
  std::map<std::string, std::string> verdict_words;  // by key: the witness as text
  std::map<std::string, std::vector<LockedClaim>> claims;
  std::vector<std::string> public_attributes;
  std::map<std::string, std::string> sets;
  std::set<std::string> by_content;
  std::string content;                              // in format 2
  std::string content_hash;                         // in format 1
  std::map<std::string, std::string> earlier_keys;  // current key -> key in format 1, if different
  std::map<std::string, SourcePlace> places;        // key -> a claim about it
  std::vector<std::string> failing;                 // claims that are not as expected, as the spec states them
  std::map<std::string, std::string> open;
  std::string open_bounds;  // why bounds next to levels were not measured; empty: measured
  /// Notions with an undecided claim whose key could not be computed either; "loss": all pairs.
  std::set<std::string> open_notions;
};

/// The current specs, by their names in a lock.
struct MeasuredSpecs {
  std::map<std::string, MeasuredSpec> specs;
  std::vector<std::string> missing;  // locked, but missing
  std::vector<FileError> errors;     // of specs about which nothing is then decided
};

/// Returns the texts of the two ends of a locked level; equal if it is one number. Does not throw.
std::pair<std::string, std::string> ends_of_level(const std::string& text);
/// Parses one end. Throws std::runtime_error if it is not a level.
Level level_of_text(const std::string& text);
/// Parses a locked delta. Throws std::runtime_error if it is not a number.
Number number_of_text(const std::string& text);

/// For a delta that is locked because a level is infinite: returns that level's key. Returns other keys unchanged.
std::string level_before_infinity(const std::string& delta_key);
inline constexpr const char* kDeltaAt = ": delta at epsilon ";

/// Keys sorted, one value per line.
std::string lock_text(const Lock& lock);
/// Throws SpecError if it is not a lock, with advice about merge conflict markers.
Lock read_lock(const std::string& path, const std::string& text, Budget& budget);

/// The message of a check that passed without comparing contents, because no key is available.
inline constexpr const char* kContentNotCompared = "content not compared";

/// The start of the message for a level without a promise.
inline constexpr const char* kNotLocked = "is not locked";

/// In `by_content`: levels are not numbers (symbols) or unknown (continuous outputs).
inline constexpr const char* kAllLevels = "every level";

}  // namespace oddsbound::reports
