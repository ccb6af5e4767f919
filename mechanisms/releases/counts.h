// Counts of people with noise (partial-DP paper, Theorem 11, without the projection).
#pragma once

#include "mechanisms/releases/noise.h"
#include "mechanisms/releases/step.h"

namespace oddsbound::mechanisms {

struct NamedPattern {
  std::string name;
  Pattern pattern;
};

/// Every combination of the attributes' values, the last attribute fastest, called "age=young, ill=yes".
std::vector<NamedPattern> cells_of(const Domain& schema, const Attributes& attributes);

/// What is counted.
struct Counted {
  std::vector<Attributes> tables{};      // every combination of their values
  std::vector<NamedPattern> patterns{};  // and those who have each of these
};
/// One by one, in that order.
std::vector<NamedPattern> queries_of(const Domain& schema, const Counted& counted);

struct CountsRequest {
  Domain schema;
  Counted counted;
  Noise noise;
  std::uint64_t window;     // answers for n people are moved into -window..n + window
  bool consistent = false;  // told as well: the counts nearest to the answers that some table of people may have
};

/// Somebody who changes in some attributes moves from one cell to another of every table that has one of these, and
/// into or out of every pattern that has: as many counts change by 1. (Fewer, where all people that there may be are
/// few enough to be looked at, and none of them changes so many.) Counts that are made consistent cost nothing more:
/// the nearest point to the answers in the convex hull of what single people add (Theorem 11). Throws LimitError where
/// that is asked for and there are too many records (queries.h).
StepPtr counts_step(CountsRequest request);

}  // namespace oddsbound::mechanisms
