// Proof that no ratio between groups exceeds a bound. A checker verifies it without searching.
//
// The proof is a tree over the outputs of one factor after another. At a node, a pair of groups is either closed
// by an inequality with a few numbers (a credit or a transport plan, transport_bound.h; an averaged bound,
// averaged_bound.h), or stays open for every output of the next factor. Nodes with few outputs left are enumerated by
// the checker.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verifier/engine/averaged_bound.h"
#include "verifier/engine/network_messages.h"
#include "verifier/engine/projected_rows.h"
#include "verifier/engine/ray_hull.h"
#include "verifier/exact/level.h"
#include "verifier/model/model.h"

namespace oddsbound::engine {

/// No ratio of these two groups below the node exceeds the bound. The averaged bound proves it, if there is one. Else,
/// if `shares` is empty, the credit c does; otherwise the transport plan of the shares (one m_s per suffix that has
/// weight in `to`, in order of the suffixes' classes in the remaining factors).
struct ClosedPair {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  double credit = 0;
  std::vector<double> shares{};
  std::optional<AveragedProof> averaged{};
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
/// averages: whether averaged bounds are used; kInGroups is as kAlways.
LevelProof prove_level(const ProjectedRows& seen, const Level& upper, Budget& budget, double seconds = 1e8,
                       Averages averages = Averages::kWhereCheaper);

// Proof that no ratio between values of a coordinate of a network exceeds a bound. A checker verifies it without
// searching (docs/certificates.md). The proof lists the sets of rays that the cliques send each other, which rays
// of each set are kept, and which kept rays nearly combine to every other ray.

/// Either all outputs of a factor; or products of the prior's tables and of earlier sets, over all choices of one
/// kept ray of each, summed over all coordinates outside `over`.
struct ProofSet {
  std::optional<std::size_t> factor;
  std::vector<std::size_t> tables;  // each by the coordinate whose distribution it gives
  std::vector<std::size_t> sets;
  Scope over;                     // the last coordinate varies fastest
  bool keeps_all = true;          // true: all possible rays are kept; otherwise:
  std::vector<std::size_t> kept;  // indices of outputs, or of choices (the last set varies fastest)
  std::vector<RedundantRay> left_out;
};

/// The sets over one coordinate whose products are the rays of the whole network, and the bound that follows from
/// them, or why none does.
struct NetworkClaim {
  std::vector<std::size_t> sets;
  double upper = 0;    // bound of the level in nats, up to a relative rounding error of 1e-13
  std::string reason;  // empty if proved
};

struct NetworkProof {
  std::vector<ProofSet> sets;        // each after those that it is made of
  std::vector<NetworkClaim> claims;  // by coordinate
};

/// Returns the proof for every coordinate. A bound follows from the kept rays plus what the others can add. If few
/// extreme rays suffice, it is less than 1e-6 above the level. Returns nullopt if the model is not a network, or
/// its cliques are too large. Throws LimitError if the budget is exceeded.
std::optional<NetworkProof> prove_network(const Model& model, Budget& budget);

}  // namespace oddsbound::engine
