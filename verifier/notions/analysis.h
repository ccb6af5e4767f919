// Every level of a model that needs no claim: what `oddsbound analyze` shows.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "verifier/measures/tradeoff.h"
#include "verifier/model/witness.h"
#include "verifier/search/subject.h"

namespace oddsbound {

/// Vectors have one entry per coordinate. A level is missing if there is no prior for it, or if a limit was reached:
/// then `undecided` says which.
struct Analysis {
  std::optional<MeasuredLevel> ldp;
  std::optional<MeasuredLevel> bdp;
  std::optional<std::vector<MeasuredLevel>> cdp;
  std::optional<std::vector<MeasuredLevel>> bcdp;
  std::optional<std::vector<Number>> correlation;
  /// The BCDP level that Proposition 4 guarantees from the CDP levels, the correlations and the LDP level.
  std::optional<std::vector<Level>> proposition_4;
  std::optional<std::vector<Tradeoff>> tradeoffs;
  std::map<std::string, std::string> undecided;
};

Analysis analyze(Subject& subject);

/// Announces what an analysis asks of the columns. Who asks other questions before it announces them too: then one pass
/// answers all.
void expect_levels(Subject& subject);

}  // namespace oddsbound
