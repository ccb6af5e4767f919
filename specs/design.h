// The request for a mechanism: what it must keep, and what is to be least (docs/design.md).
#pragma once

#include <string>
#include <vector>

#include "specs/spec.h"
#include "verifier/optimal/program.h"

namespace oddsbound::specs {

struct DesignFile {
  std::string file, name;
  Model model;  // without a channel
  std::vector<Claim> constraints;
  std::vector<std::string> outputs;         // labels
  std::vector<std::size_t> reads;           // coordinates that the mechanism may look at
  std::vector<std::vector<Number>> losses;  // [input][output]
  bool largest = false;
  std::string loss_words;                          // "expected zero_one loss"
  std::uint64_t denominator = 1000;                // at most, of what stands for e^level where that is not rational
  std::shared_ptr<const JsonDocument> document{};  // that it was read from
};

/// Throws SpecError for whatever is wrong with it: one error, at its place.
DesignFile read_design(const std::string& path, Budget& budget);
/// The same of a document; file names in it are relative to the folder.
DesignFile read_design_document(const std::shared_ptr<const JsonDocument>& document, const std::string& directory,
                                Budget& budget);

}  // namespace oddsbound::specs
