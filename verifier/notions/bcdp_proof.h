// Proofs of upper bounds on BCDP levels, which can be checked without trust in the search that found them
// (docs/certificates.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verifier/engine/level_proof.h"
#include "verifier/model/model.h"

namespace oddsbound::notions {

/// One level of depth of the proof tree: a fixed factor, or several equal factors, the order of whose outputs does
/// not matter.
struct ProofStep {
  std::vector<std::size_t> factors;                 // of the channel
  std::vector<std::vector<std::uint64_t>> outputs;  // those listed; every other is proportional to one of them
};

struct CoordinateProof {
  std::vector<std::size_t> within;  // the coordinates of the part, independent of all others; or all
  std::vector<ProofStep> steps;     // by depth in the tree
  engine::ProofNode root;           // about pairs of values of the coordinate
};

/// The proof for a coordinate, or why there is none.
struct ProofOutcome {
  std::optional<CoordinateProof> proof;
  std::string reason;
};

/// Proves, by coordinate, that the BCDP level is at most its bound; the bounds must lie slightly above the levels.
/// Each coordinate gets an equal fraction of the remaining time. If that or another limit is reached, it has no
/// proof. Requires a prior.
std::vector<ProofOutcome> prove_bcdp(const Model& model, const std::vector<Level>& bounds, Budget& budget);

}  // namespace oddsbound::notions
