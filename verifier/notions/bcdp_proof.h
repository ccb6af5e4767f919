// Proofs of upper bounds of BCDP levels, for those who do not trust the search that found them (docs/certificates.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verifier/model/model.h"
#include "verifier/engine/level_proof.h"

namespace oddsbound::notions {

/// A factor that is fixed, or several equal ones: then the order of their outputs does not count.
struct ProofStep {
  std::vector<std::size_t> factors;                 // of the channel
  std::vector<std::vector<std::uint64_t>> outputs;  // one for each of these; every other is in proportion to one listed
};

struct CoordinateProof {
  std::vector<std::size_t> within;  // the coordinates that it is about, independent of all others; or all
  std::vector<ProofStep> steps;     // in the order of the tree's depths
  engine::ProofNode root;           // pairs of values of the coordinate
};

/// What was proved of a coordinate, or why nothing was.
struct ProofOutcome {
  std::optional<CoordinateProof> proof;
  std::string reason;
};

/// That BCDP levels, by coordinate, are not above bounds that are known to be somewhat above them. Every coordinate may
/// take its share of the time that is left; where that, or another limit, is not enough there is no proof. The model
/// has a prior.
std::vector<ProofOutcome> prove_bcdp(const Model& model, const std::vector<Level>& bounds, Budget& budget);

}  // namespace oddsbound::notions
