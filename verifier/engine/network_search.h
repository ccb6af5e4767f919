// The largest ratios between values of each coordinate over all outputs of a product, where the prior is a product of
// tables over few coordinates each (a Bayesian network): neither inputs nor outputs are enumerated.
//
// Given a coordinate, what lies behind it in different directions is independent, and what the outputs in one direction
// say is a ray (likelihoods.h). Every clique of the network tells each of its neighbors which rays are possible; two
// messages along every edge serve all coordinates.
#pragma once

#include <map>
#include <vector>

#include "verifier/engine/network_messages.h"
#include "verifier/engine/output_search.h"
#include "verifier/model/model.h"

namespace oddsbound::engine {

/// Of coordinates of whose values only some concern: which. Some value of each side has mass.
using Directions = std::map<std::size_t, AllowedPairs>;

/// For every coordinate, what one pass over the network shows of the level between its values, and proves of it; with
/// an output that shows it. The network is that of the model. Throws LimitError past the budget, and where more rays
/// are needed than may be kept.
std::vector<SearchedLevel> network_levels(const Model& model, const Network& network, const PruneOptions& keeping,
                                          Budget& budget, const Directions& directions = {});

/// For every coordinate, the level between its values, with an output that shows it. After so many seconds, where a
/// limit of the budget is reached, or where a part tells too many different things to keep all, a level is what an
/// output shows, and what it is proven to lie below. Throws LimitError where not even that is known.
std::vector<SearchedLevel> search_network(const Model& model, const Network& network, Budget& budget, double seconds,
                                          const Directions& directions = {});

}  // namespace oddsbound::engine
