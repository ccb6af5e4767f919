// Counts of people with noise (partial-DP paper, Theorem 11, without the projection).
#pragma once

#include "mechanisms/releases/noise.h"
#include "mechanisms/releases/step.h"

namespace oddsbound::mechanisms {

struct NamedPattern {
  std::string name;
  Pattern pattern;
};

struct CountsRequest {
  Domain schema;
  std::vector<Attributes> tables;      // every combination of their values is counted
  std::vector<NamedPattern> patterns;  // and those who have each of these
  Noise noise;
  std::uint64_t window;  // answers for n people are moved into -window..n + window
};

/// Somebody who changes in some attributes moves from one cell to another of every table that has one of these, and
/// into or out of every pattern that has: as many counts change by 1. (Fewer, where all people that there may be are
/// few enough to be looked at, and none of them changes so many.)
StepPtr counts_step(CountsRequest request);

}  // namespace oddsbound::mechanisms
