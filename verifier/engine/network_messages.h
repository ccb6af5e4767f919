// What the cliques of a network tell each other: the rays that the outputs behind them may be.
#pragma once

#include <optional>

#include "verifier/engine/likelihoods.h"
#include "verifier/model/model.h"

namespace oddsbound::engine {

/// The prior's tables and the factors of the channel, as a tree of cliques.
struct Network {
  DomainShape shape;
  std::vector<SeenPart> parts;
  std::vector<Clique> cliques;
  std::vector<WeightTable> tables;                // of each clique, over all of it
  std::vector<std::vector<std::size_t>> factors;  // of each clique: which parts are its own
  std::vector<std::size_t> clique_of;             // where a coordinate is summed out
};

/// How factors become parts: equal ones as one, of which only the outputs that are needed are there; or each one as it
/// is, with all its outputs in their order.
enum class Parts { kFew, kAsTheyAre };

/// None unless the channel is a product, the prior one of tables, and cliques are small (likelihoods.h). Throws
/// LimitError past the budget.
std::optional<Network> network_of(const Model& model, Budget& budget, Parts parts = Parts::kFew);

using RaySets = std::vector<const RaySet*>;

class Messages {
 public:
  /// All of them, two along each edge. The network and the budget outlive it. Throws LimitError past the budget.
  Messages(const Network& network, const PruneOptions& keeping, Budget& budget);

  const Likelihoods& likelihoods() const { return likelihoods_; }
  /// The sets of rays over one coordinate, independent given it, whose products are all that there is.
  RaySets about(std::size_t coordinate);

 private:
  struct Inbound {
    RaySets inside, outside;
  };
  RaySets heard_from_children(std::size_t k) const;
  Inbound split(std::size_t k, RaySets heard, const Scope& onto) const;
  void send_downward(std::size_t k);
  RaySets message(std::size_t k, RaySets heard, const Scope& onto);
  const RaySet* joined(const RaySets& sets);
  RaySets merged(RaySets sets);
  RaySets few(std::size_t k, RaySets sets);

  const Network& network_;
  Likelihoods likelihoods_;
  RaySets up_;                 // of each clique, to its parent
  std::vector<RaySets> down_;  // from its parent: sets whose products are all there is
  std::vector<RaySets> own_;   // of its factors
};

}  // namespace oddsbound::engine
