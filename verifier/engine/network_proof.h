// Why no ratio between values of a coordinate of a network is above a bound, so that others can check it without
// searching: the sets of rays that the cliques tell each other, which rays of each are kept, and of which of these
// every other one is nearly a combination (docs/certificates.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verifier/engine/likelihoods.h"
#include "verifier/engine/ray_hull.h"
#include "verifier/model/model.h"

namespace oddsbound::engine {

/// All outputs of a factor; or the product of tables of the prior and of earlier sets, in every choice of one kept ray
/// of each, summed over all coordinates but some.
struct ProofSet {
  std::optional<std::size_t> factor;
  std::vector<std::size_t> tables;  // each by the coordinate whose distribution it gives
  std::vector<std::size_t> sets;
  Scope over;                     // the last one fastest
  bool keeps_all = true;          // that are possible; otherwise:
  std::vector<std::size_t> kept;  // numbers of outputs, or of choices (of the last set fastest)
  std::vector<RedundantRay> left_out;
};

/// The sets over one coordinate whose products are all there is, and what follows: or why nothing does.
struct NetworkClaim {
  std::vector<std::size_t> sets;
  double upper = 0;    // of the level, in nats, but for rounding of 1e-13 of it
  std::string reason;  // empty where it is proved
};

struct NetworkProof {
  std::vector<ProofSet> sets;        // each after those that it is made of
  std::vector<NetworkClaim> claims;  // by coordinate
};

/// Bounds are those of the rays that are kept, and what the others may add: where few extreme cases are enough, less
/// than 1e-6 above the level. None if the model's cliques are too large, or it is no network. Throws LimitError past
/// the budget.
std::optional<NetworkProof> prove_network(const Model& model, Budget& budget);

}  // namespace oddsbound::engine
