// Proof that no ratio between groups exceeds a bound. A checker verifies it without searching.
//
// The proof is a tree over the outputs of one factor after another. At a node, a pair of groups is either closed
// by an inequality with a few numbers (a credit or a transport plan, transport_bound.h), or stays open for every
// output of the next factor. Nodes with few outputs left are enumerated by the checker.
#pragma once

#include "verifier/engine/projected_rows.h"
#include "verifier/exact/level.h"

namespace oddsbound::engine {

/// No ratio of these two groups below the node exceeds the bound. If `shares` is empty, the credit c proves it;
/// otherwise the transport plan of the shares does (one m_s per suffix that has weight in `to`, in order of the
/// suffixes' classes in the remaining factors).
struct ClosedPair {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  double credit = 0;
  std::vector<double> shares;
};

struct ProofNode {
  std::vector<ClosedPair> closed;
  bool enumerated = false;      // the checker compares all remaining outputs, for all open pairs
  std::vector<ProofNode> next;  // [output of the next factor]
};

struct LevelProof {
  std::vector<std::size_t> order;  // the factors of the rows, in the order in which they are fixed
  ProofNode root;
};

/// Returns a proof that the level is at most `upper`, which must be somewhat above the level: outputs of
/// enumerated nodes are not compared here. A pair stays open if doubles cannot close it. Throws LimitError after
/// `seconds`, or if a limit of the budget is reached.
LevelProof prove_level(const ProjectedRows& seen, const Level& upper, Budget& budget, double seconds = 1e8);

}  // namespace oddsbound::engine
