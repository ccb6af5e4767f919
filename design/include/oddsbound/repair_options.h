// How a mechanism is repaired.
#pragma once

#include <cstdint>

namespace oddsbound {

/// The least mixture with the uniform mechanism, or the nearest mechanism by the largest change of an entry or by the
/// largest total variation between the rows of an input.
enum class RepairBy { kMixture, kEntries, kRows };

/// repair
struct RepairOptions {
  RepairBy by = RepairBy::kRows;
  /// Rows of a matrix may have sums that differ from 1 by at most 1/1000: each row is divided by its sum.
  bool rounded_rows = false;
  std::uint64_t denominator = 1000;  // of the approximation of e^level if it is irrational
};

}  // namespace oddsbound
