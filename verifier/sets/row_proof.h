// Why no rows of a network's tables have a larger quotient than a bound: for whoever checks it without a search.
//
// Let A = P(output given from), B = bound * P(output given to). Were A > B under some rows, some mean q would lie
// between. For every q a share s in [0, 1] shows that none does: (1 - s) P(from) (A - q) <= s P(to) (B - q), both
// sides of which are linear in every row, and in q. So a few means with a share between each two of them are enough.
// Where no row is met twice (multilinear.h), what both sides can be is convex, and there is a share for every mean just
// where the bound holds. Else rows that are met several times are split.
#pragma once

#include <optional>

#include "verifier/sets/row_search.h"
#include "verifier/sets/set_proof.h"

namespace oddsbound::sets {

/// nodes: of the question's network; column: P(output given input), per input; tight_at: P(output given from) where the
/// quotient is the bound. None: it is not found, though there may be one. Throws LimitError past the budget.
std::optional<ByRows> prove_by_rows(const std::vector<IntervalNode>& nodes, const RowQuestion& question,
                                    const std::vector<Number>& column, std::uint32_t from, std::uint32_t to,
                                    const Surd& bound, const std::optional<Number>& tight_at, Budget& budget);

}  // namespace oddsbound::sets
