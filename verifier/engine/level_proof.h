// Why no ratio between groups is above a bound, so that others can check it without searching: a tree over the outputs
// of one factor after another. At a node a pair of groups is closed by an inequality that a few numbers make (those of
// transport_bound.h and transport_bound.h), or stays open for every output of the next factor; where few outputs are
// left, they are gone through.
#pragma once

#include "verifier/engine/projected_rows.h"
#include "verifier/exact/level.h"

namespace oddsbound::engine {

/// No ratio of these two groups below the node is above the bound: by the credit c, or, where there are shares, by the
/// plan that they make (m by kind of rows that has weight in `to`, in order of the kinds' classes in the factors
/// ahead).
struct ClosedPair {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  double credit = 0;
  std::vector<double> shares;
};

struct ProofNode {
  std::vector<ClosedPair> closed;
  bool enumerated = false;      // all outputs that are left are to be compared, for all pairs that are open
  std::vector<ProofNode> next;  // [output of the next factor]
};

struct LevelProof {
  std::vector<std::size_t> order;  // the factors of the rows, as they are fixed one after another
  ProofNode root;
};

/// upper: somewhat above the level, which is known to lie below: outputs that are left to be compared are not compared
/// here. Where doubles cannot tell whether a pair is closed, it is not. Throws LimitError after so many seconds, and
/// where a limit of the budget is reached.
LevelProof prove_level(const ProjectedRows& seen, const Level& upper, Budget& budget, double seconds = 1e8);

}  // namespace oddsbound::engine
