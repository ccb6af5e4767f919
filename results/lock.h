// The privacy lock: what was measured when it was written, exactly, in a file that is reviewed like code. A later check
// compares the present specs with it, so that no change loosens privacy unnoticed.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/budget.h"
#include "results/file_error.h"
#include "verifier/model/witness.h"

namespace oddsbound::results {

/// What is locked of a spec. Keys say what was measured ("bcdp age", "secret {...}"); values are exact, in the grammar.
struct LockedSpec {
  std::set<std::string> by_content;             // what is not measured in numbers: any change of the content fails
  std::string content;                          // hash of what matters in its files (specs/source_file.h)
  std::map<std::string, std::string> deltas;    // of approximate_dp
  std::map<std::string, std::string> levels;    // "log(3)"; "2 to 9/4" where no more is known than that it lies there
  std::map<std::string, std::string> verdicts;  // of claims of which no number says all

  friend bool operator==(const LockedSpec&, const LockedSpec&) = default;
};

/// What was accepted, and why.
struct Acceptance {
  std::string reason;
  std::vector<std::string> changes;
};

struct Lock {
  std::vector<std::string> paths;           // what is locked: files and directories, relative to the lock's directory
  std::map<std::string, LockedSpec> specs;  // by file, relative to the same
  std::vector<Acceptance> accepted;
};

/// A spec as it is now. Levels that a limit left open are in `open`, with the reason.
struct MeasuredSpec {
  std::string file;               // as errors name it
  std::vector<std::string> read;  // all files it was read from
  LockedSpec now;
  std::map<std::string, std::string> words;   // key: who leaks what
  std::map<std::string, SourcePlace> places;  // key: a claim about it
  std::map<std::string, std::string> open;
  /// Notions of which some claim is open whose key could not be made either; "loss": of all pairs.
  std::set<std::string> open_notions;
};

/// Specs as they are now, by their names in a lock.
struct MeasuredSpecs {
  std::map<std::string, MeasuredSpec> specs;
  std::vector<std::string> missing;  // that are locked, and gone
  std::vector<FileError> errors;     // of specs about which nothing is decided then
};

/// The two ends of a locked level: twice the same where it is known. Their texts; throws nothing.
std::pair<std::string, std::string> ends_of_level(const std::string& text);
std::string level_text(const MeasuredLevel& measured);
/// Of one end. Throws std::runtime_error for what is no level.
Level level_of_text(const std::string& text);

/// Keys sorted, one value per line.
std::string lock_text(const Lock& lock);
/// Throws SpecError for what is no lock, with advice where a merge left its conflict markers.
Lock read_lock(const std::string& path, const std::string& text, Budget& budget);

/// In `by_content`: the levels are no numbers (symbols) or are not known (continuous outputs).
inline constexpr const char* kAllLevels = "every level";

}  // namespace oddsbound::results
