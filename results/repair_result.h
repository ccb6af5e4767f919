// A mechanism that was mended so that its claims hold, and how far it is from what it was.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/namespaces.h"
#include "results/design_result.h"
#include "verifier/exact/number.h"

namespace oddsbound::results {

/// The least mixture with a mechanism that tells every output alike, or the nearest mechanism: by the largest change of
/// an entry, or by the largest total variation between rows for one input.
enum class RepairBy { kMixture, kEntries, kRows };

struct RepairOptions {
  RepairBy by = RepairBy::kRows;
  /// Rows of a matrix need not add up to 1 exactly: each is divided by what it adds up to, which is off by 1/1000 at
  /// most.
  bool rounded_rows = false;
  std::uint64_t denominator = 1000;  // of what stands for e^level where that is not rational
};

struct RepairResult {
  std::string name;
  std::optional<Number> rounding;  // of rounded rows: how far off the largest sum was
  std::optional<Number> share;     // of what was mixed in
  Number entries, rows;            // the largest change of an entry, and total variation of rows, from what was read
  std::vector<std::string> notes;  // claims that were not looked at, or are no longer made
  ShownMatrix before, after;
  std::string spec;           // its text
  bool confidential = false;  // what was changed depends on a confidential table
  bool rounded = false;       // changes and the mechanism after them are rounded up, for others
};

/// What changed, and what else is to be known, a line each.
std::vector<std::string> repair_words(const RepairResult& result);
std::string text_repair(const RepairResult& result);

}  // namespace oddsbound::results
