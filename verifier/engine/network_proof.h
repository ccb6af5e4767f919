// Proof that no ratio between values of a coordinate of a network exceeds a bound. A checker verifies it without
// searching (docs/certificates.md). The proof lists the sets of rays that the cliques send each other, which rays
// of each set are kept, and which kept rays nearly combine to every other ray.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verifier/engine/clique_tree.h"
#include "verifier/engine/redundant_ray.h"
#include "verifier/model/model.h"

namespace oddsbound::engine {

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
