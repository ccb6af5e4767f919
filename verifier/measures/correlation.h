// How strongly one coordinate determines the others: q_i of the BCDP paper, Proposition 4.
//
// All pairs of values are measured in doubles first; pairs that may have the largest distance are then measured
// exactly. Priors made of tables are first reduced to the coordinate's Markov blanket.
#pragma once

#include <map>

#include "verifier/model/prior.h"

namespace oddsbound::measures {

/// Returns the coordinate, then its Markov blanket: the coordinates that share a table of the prior with it. Given
/// these, the coordinate is independent of the others. Returns all coordinates if the prior has no tables.
std::vector<std::size_t> blanket_of(const Prior& prior, std::size_t coordinate);

/// Returns the assignments of the other coordinates that occur (the entry of `coordinate` itself is set to 0),
/// each with the values of `coordinate` that occur with it and their weights. For priors with too many inputs to
/// enumerate. Throws LimitError if the budget is exceeded.
using WeightsByOthers = std::map<InputRow, std::vector<std::pair<std::uint32_t, Number>>>;
WeightsByOthers weights_by_others(const Prior& prior, std::size_t coordinate, Budget& budget);

/// Returns the largest total variation distance between the distributions of the other coordinates given two
/// values of positive mass of the coordinate, exactly. Sets of values need not be tried, because total variation
/// is jointly convex.
///
/// `domain` must be the domain of the prior. Throws LimitError if the budget is exceeded.
Number correlation(const Domain& domain, const Prior& prior, std::size_t coordinate, Budget& budget);

}  // namespace oddsbound::measures
