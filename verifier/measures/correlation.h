// How much one coordinate says about the others: q_i of the BCDP paper, Proposition 4.
#pragma once

#include "verifier/model/prior.h"

namespace oddsbound::measures {

/// The coordinate, then those that stand in a table of the prior with it: given these the others are independent of it.
/// All coordinates where the prior is not one of tables.
std::vector<std::size_t> blanket_of(const Prior& prior, std::size_t coordinate);

/// The largest total-variation distance between the distributions of the other coordinates given two values (of
/// positive mass) of coordinate i, exactly. Sets of values need not be tried: total variation is jointly convex.
///
/// The domain must be the prior's. Throws LimitError past the budget.
Number correlation(const Domain& domain, const Prior& prior, std::size_t coordinate, Budget& budget);

}  // namespace oddsbound::measures
