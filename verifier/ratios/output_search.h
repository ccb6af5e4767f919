// The largest ratio between groups of rows over all outputs of a product channel, by branch and bound: neither inputs
// nor outputs are enumerated.
//
// A node fixes the outputs of the first factors; what the rows then weigh takes the place of their weights. Write u and
// v for the weights of two groups by what the other factors see (r, s), l(r, s) for the largest loss from r to s over
// the outputs of these factors. For every c >= 0,
//
//     c + sum_r max(u_r - c v_r, 0) / R_r     with R_r = sum_s v_s exp(-l(r, s))
//
// bounds the ratio of every output below the node: move min(u_r, c v_r) to the same r of the other group, where it
// meets no loss, and spread the rest as R_r is made up. Then every s carries at most that many times v_s.
//
// Doubles with a bound of their error discard nodes; where they cannot tell, and for every ratio that is found,
// exact numbers decide. The nodes with the largest bounds come first, so that whenever the search is stopped, the level
// lies between the best output and the bound of the node whose turn it is.
#pragma once

#include <optional>

#include "verifier/exact/level.h"
#include "verifier/model/witness.h"
#include "verifier/ratios/seen_rows.h"

namespace oddsbound::ratios {

struct SearchedLevel {
  Level level;
  std::vector<std::uint64_t> output;  // per factor of the channel
  std::size_t from = 0;               // groups
  std::size_t to = 0;
  Number p_from;  // P(output given the group)
  Number p_to;
  std::uint64_t nodes = 0;
  std::optional<Unfinished> unfinished{};  // the level is only what was found, and lies below that
};

/// At least one group has mass; with only one the level is 0. After so many seconds, and where a limit of the budget
/// is reached, the level is what is known by then. Throws LimitError where nothing is.
SearchedLevel search_outputs(const SeenRows& seen, Budget& budget, double seconds = 1e8);

}  // namespace oddsbound::ratios
