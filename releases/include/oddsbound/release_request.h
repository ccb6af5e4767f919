// The options of a release.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace oddsbound {

/// release
struct ReleaseRequest {
  std::optional<std::string> table{};   // a CSV file with one row per person; nullopt: ledger only
  std::optional<std::uint64_t> seed{};  // nullopt: the system's randomness; only that is private
  /// A file of earlier costs for the same people. It counts towards the budget, and this release's cost is added
  /// to it before anything is published. Created if missing.
  std::optional<std::string> spent{};
};

}  // namespace oddsbound
