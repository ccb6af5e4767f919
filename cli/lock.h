// The files that a privacy lock covers, and their present levels.
#pragma once

#include <string>
#include <vector>

#include "api/api.h"

namespace oddsbound::cli {

/// The lock's file, the given paths (none: everything that is locked), and how specs are measured.
struct LockRequest {
  std::string lock = "oddsbound.lock.json";
  std::vector<std::string> paths;
  Limits limits;
  SmtOptions smt;
};

/// Returns the path as the lock names it: relative to the lock's folder, with '/'. Follows links in folders but
/// not in the last component: a name stands for the file that opening it yields.
std::string name_in_lock(const std::string& path, const std::string& lock);
/// Returns the path of a name in the lock.
std::string path_of_name(const std::string& name, const std::string& lock);

/// Measures the locked specs that the request covers, and new ones in the folders that it or the lock names.
MeasuredSpecs measure_present(const LockRequest& request, const Lock& lock);

}  // namespace oddsbound::cli
