// Design of mechanisms: part of oddsbound/oddsbound.h where the module is built.
#pragma once

#include <string>
#include <vector>

#include "oddsbound/interface.h"
#include "oddsbound/repair_options.h"

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
