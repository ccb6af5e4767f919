// How much one coordinate says about the others: q_i of the BCDP paper, Proposition 4.
#pragma once

#include <map>

#include "verifier/model/prior.h"

namespace oddsbound::measures {

/// The coordinate, then those that stand in a table of the prior with it: given these the others are independent of it.
/// All coordinates where the prior is not one of tables.
std::vector<std::size_t> blanket_of(const Prior& prior, std::size_t coordinate);

/// For every row of the other coordinates that occurs (that of the coordinate itself counts as 0), its values with
/// their weights. Of a prior whose inputs are too many to be held. Throws LimitError past the budget.
using WeightsByOthers = std::map<InputRow, std::vector<std::pair<std::uint32_t, Number>>>;
WeightsByOthers weights_by_others(const Prior& prior, std::size_t coordinate, Budget& budget);

/// The largest total-variation distance between the distributions of the other coordinates given two values (of
/// positive mass) of coordinate i, exactly. Sets of values need not be tried: total variation is jointly convex.
///
/// The domain must be the prior's. Throws LimitError past the budget.
Number correlation(const Domain& domain, const Prior& prior, std::size_t coordinate, Budget& budget);

}  // namespace oddsbound::measures
