// Design of mechanisms: part of oddsbound/oddsbound.h where the module is built.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "oddsbound/interface.h"

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

namespace oddsbound::interface {

/// Formats: "text", "json" (its spec), "html".
class DesignResult : public Result {
 public:
  using Result::Result;
  std::string spec;                   // its text: the mechanism as a matrix, the constraints as claims
  std::string certificate;            // the text of the proof
  Number loss, at_least;              // of the mechanism, and the bound that is proved
  std::vector<std::string> conflict;  // constraints that conflict: there is then no mechanism
};

/// Formats: "text", "json" (its spec), "html".
class RepairResult : public Result {
 public:
  using Result::Result;
  std::string spec;                // its text
  Number entries, rows;            // largest change of an entry, and largest total variation of a row
  std::vector<std::string> notes;  // claims that were skipped or removed
};

/// Finds the mechanism with minimum loss under the constraints of a request, and a proof that none has less
/// (docs/design.md). folder: the location of its spec.
Expected<DesignResult> design(const File& file, const std::string& folder = ".", const Context& context = {});

/// Repairs the mechanism of a spec so that its claims hold (docs/design.md). folder: the location of its spec.
Expected<RepairResult> repair(const File& file, const RepairOptions& options = {}, const std::string& folder = ".",
                              const Context& context = {});

}  // namespace oddsbound::interface
