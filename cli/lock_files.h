// Which files a privacy lock is about, and what they measure now.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "runs/lock.h"

namespace oddsbound::cli {

/// The lock's file, the paths that were given (none: all that is locked), and how specs are measured.
struct LockRequest {
  std::string lock = "oddsbound.lock.json";
  std::vector<std::string> paths;
  EvaluateOptions evaluate;
};

/// A path as the lock names it: relative to the lock's folder, written with /. Links are followed in folders, not in
/// the last step: a name stands for the file that is opened by it.
std::string name_in_lock(const std::string& path, const std::string& lock);
/// The other way round.
std::string path_of_name(const std::string& name, const std::string& lock);

/// The specs as they are now.
struct Present {
  std::map<std::string, MeasuredSpec> specs;  // by their names in the lock
  std::set<std::string> meant;                // what is to be compared, of what is locked
  std::vector<std::string> missing;           // of these, what is gone
  std::vector<FileError> errors;

  bool has_open() const {
    return std::any_of(specs.begin(), specs.end(), [](const auto& spec) { return !spec.second.open.empty(); });
  }
};

/// Measures what is locked and is meant, and what is new beside it.
Present measure_present(const LockRequest& request, const Lock& lock);

}  // namespace oddsbound::cli
