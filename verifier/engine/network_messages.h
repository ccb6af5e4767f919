// Message passing on the cliques of a network (belief propagation with sets of rays). The message along an edge is
// the set of rays that the outputs behind the edge can have (likelihoods.h). Two messages per edge answer the
// queries for all coordinates, instead of one elimination per coordinate.
#pragma once

#include <optional>

#include "verifier/engine/likelihoods.h"
#include "verifier/model/model.h"

namespace oddsbound::engine {

/// The prior's tables and the factors of the channel, on a tree of cliques.
struct Network {
  DomainShape shape;
  std::vector<SeenPart> parts;
  std::vector<Clique> cliques;
  std::vector<WeightTable> tables;                // of each clique, over all its coordinates
  std::vector<std::vector<std::size_t>> factors;  // of each clique: the indices of its own parts
  std::vector<std::size_t> clique_of;             // the clique that sums out the coordinate
};

/// How factors become parts. kFew: equal factors become one part, restricted to the needed outputs. kAsTheyAre:
/// one part per factor, with all its outputs in order.
enum class Parts { kFew, kAsTheyAre };

/// Returns nullopt unless the channel is a product, the prior is a product of tables, and the cliques are small
/// (likelihoods.h). Throws LimitError if the budget is exceeded.
std::optional<Network> network_of(const Model& model, Budget& budget, Parts parts = Parts::kFew);

using RaySets = std::vector<const RaySet*>;

class Messages {
 public:
  /// Computes all messages, two per edge. The network and the budget must outlive this object. Throws LimitError
  /// if the budget is exceeded.
  Messages(const Network& network, const PruneOptions& keeping, Budget& budget);

  const Likelihoods& likelihoods() const { return likelihoods_; }
  /// Returns sets of rays over one coordinate (some over none), independent given it. The products of one ray of
  /// each set are the rays of the whole network.
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
  std::vector<RaySets> down_;  // from its parent: sets whose products form the message
  std::vector<RaySets> own_;   // of its factors
};

}  // namespace oddsbound::engine
