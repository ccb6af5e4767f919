// What any number of runs guarantees a coordinate: a bound on BCDP levels that grows with the runs as CDP does, and
// with how coordinates correlate not at all.
#pragma once

#include "verifier/exact/level.h"
#include "verifier/model/model.h"

namespace oddsbound::measures {

/// What a coordinate's value can say of the others before anything is released: the largest log of
/// P(others = z given value a) / P(others = z given value b), over all z and all values of positive mass. Infinite
/// where some z comes with one value and not with another. Throws LimitError past the budget.
Level prior_shift(const Domain& domain, const Prior& prior, std::size_t coordinate, Budget& budget);

/// The BCDP level of a coordinate is at most its CDP level plus its prior shift:
///
///     P(y given a) = sum_z P(z given a) f(y; a, z) <= sum_z e^D P(z given b) e^c f(y; b, z) = e^(c + D) P(y given b).
///
/// Of runs with CDP levels c_1, ..., c_n, c is at most their sum.
Level composition_bound(const Level& cdp, const Level& prior_shift);

/// Whether several runs see the same coordinate: parts of a product, or reports of an answer that is kept.
bool has_several_runs(const Channel& channel);

}  // namespace oddsbound::measures
