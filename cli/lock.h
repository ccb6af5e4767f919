// Which files a privacy lock is about, and what they measure now.
#pragma once

#include <string>
#include <vector>

#include "oddsbound/oddsbound.h"

namespace oddsbound::cli {

/// The lock's file, the paths that were given (none: all that is locked), and how specs are measured.
struct LockRequest {
  std::string lock = "oddsbound.lock.json";
  std::vector<std::string> paths;
  Limits limits;
  SmtOptions smt;
};

/// A path as the lock names it: relative to the lock's folder, written with /. Links are followed in folders, not in
/// the last step: a name stands for the file that is opened by it.
std::string name_in_lock(const std::string& path, const std::string& lock);
/// The other way round.
std::string path_of_name(const std::string& name, const std::string& lock);

/// Measures what is locked and is meant, and what is new beside it.
MeasuredSpecs measure_present(const LockRequest& request, const Lock& lock);

}  // namespace oddsbound::cli
