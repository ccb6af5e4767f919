// The largest ratios between values of each coordinate over all outputs of a product channel, for a prior that is
// a product of tables over few coordinates each (a Bayesian network). Neither inputs nor outputs are enumerated.
//
// Given a coordinate, the branches of the network around it are independent. The outputs in one branch give a ray
// of likelihoods (likelihoods.h). Every clique sends its neighbors the rays that are possible; two messages per
// edge serve all coordinates.
#pragma once

#include <map>
#include <vector>

#include "verifier/engine/network_messages.h"
#include "verifier/engine/output_search.h"
#include "verifier/model/model.h"

namespace oddsbound::engine {

/// The allowed pairs of values of a coordinate; without an entry, all pairs. Some value of each side must have
/// mass.
using Directions = std::map<std::size_t, AllowedPairs>;

/// Returns for every coordinate the level between its values that one round of messages finds, the upper bound it
/// proves, and an output that attains the level found. `network` must be that of `model`. Throws LimitError if the
/// budget is exceeded, or if more rays are needed than may be kept.
std::vector<GroupLevel> network_levels(const Model& model, const Network& network, const PruneOptions& keeping,
                                       Budget& budget, const Directions& directions = {});

/// True if exact levels of all coordinates would take most of the time limit to write. With n answers whose
/// probabilities have exp, a level is a quotient of polynomials of degree about n, with some 20 n^2 characters.
bool has_long_levels(const Network& network, const Limits& limits);

/// Returns proven bounds of the level of every coordinate, from one round of messages in doubles. No number is computed
/// exactly, and no output is shown. Returns nullopt if doubles are too uncertain. Throws LimitError if the budget is
/// exceeded, or if more rays are needed than may be kept.
std::optional<std::vector<GroupLevel>> network_bounds(const Model& model, const Network& network, Budget& budget);

/// Returns for every coordinate the level between its values, with an output that attains it. The level is
/// unfinished after `seconds`, if a limit of the budget is reached, or if a part of the network has too many
/// extreme rays: then an output attains the level found, and `unfinished` holds a proven upper bound. Throws
/// LimitError if not even that is known.
std::vector<GroupLevel> search_network(const Model& model, const Network& network, Budget& budget, double seconds,
                                       const Directions& directions = {});

}  // namespace oddsbound::engine
