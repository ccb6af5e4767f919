// MWEM: one distribution that answers many counting queries (partial-DP paper, Algorithm 1 and Theorem 12, with
// other constants). Each round privately selects the queries that the distribution answers worst, asks them with
// noise, and fits the distribution to the answers.
#pragma once

#include "releases/counts.h"

namespace oddsbound::releases {

struct MwemRequest {
  Domain schema;
  std::vector<NamedPattern> queries;  // each counts the people who match
  std::uint64_t rounds = 1;
  std::uint64_t together = 1;  // queries per round, no two of which share an attribute
  SmallRatio rate{1, 1};       // sets are chosen with P ~ exp(rate * total error of their answers)
  Noise noise;
  bool fits_all = true;  // fit to all answers so far, in 20 passes; else to those of the round, as in the paper
  unsigned score_bits =
      20;  // the distribution's answers are rounded to multiples of 2^-bits before they are compared with the data
};

/// Limit on the sets of queries that a round chooses from.
inline constexpr std::size_t kMostSets = std::size_t{1} << 22;

/// Returns the step. Let k = min(together, number of the queries' attributes that change). At most k queries of a
/// set change, each by 1. So a round's choice costs 2 rate k, or rho = (rate k)^2 / 2 (scores of all sets change
/// by at most k: bounded range), and its answers cost the noise on k numbers. Throws LimitError past kMostSets and
/// kMostRecords, ModelError if there is no set of `together` queries.
StepPtr mwem_step(MwemRequest request);

}  // namespace oddsbound::releases
