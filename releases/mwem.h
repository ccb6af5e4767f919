// A distribution that answers many counting questions at once (partial-DP paper, Algorithm 1 and Theorem 12, with other
// constants): round by round, those that it answers worst are asked, with noise, and it is fitted to what was told.
#pragma once

#include "releases/counts.h"

namespace oddsbound::releases {

struct MwemRequest {
  Domain schema;
  std::vector<NamedPattern> queries;  // how many people have each of these
  std::uint64_t rounds = 1;
  std::uint64_t together = 1;  // queries of a round, no two of which share an attribute
  SmallRatio rate{1, 1};       // sets of queries are chosen with P ~ exp(rate * how far their answers are off in all)
  Noise noise;
  bool fits_all = true;  // to all answers so far, in 20 passes; else as the paper prints it, to those of the round
  unsigned score_bits =
      20;  // answers of the distribution are rounded to multiples of 2^-bits before they meet the data
};

/// Sets of queries that a round chooses from.
inline constexpr std::size_t kMostSets = std::size_t{1} << 22;

/// Where k = min(together, attributes that change) of the queries' attributes change, at most k queries of a set do,
/// each by 1. So a round's choice costs 2 rate k, or rho (rate k)^2 / 2 (scores of all sets change by at most k:
/// bounded range), and its answers what noise costs on k numbers. Throws LimitError past kMostSets and kMostRecords,
/// ModelError if there is no set of so many queries.
StepPtr mwem_step(MwemRequest request);

}  // namespace oddsbound::releases
