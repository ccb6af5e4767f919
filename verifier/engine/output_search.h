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

#include <functional>
#include <optional>
#include <stop_token>

#include "base/bytes.h"
#include "verifier/engine/projected_rows.h"
#include "verifier/exact/level.h"
#include "verifier/model/model.h"

namespace oddsbound::engine {

struct SearchedLevel {
  Level level;
  std::vector<std::uint64_t> output;  // per factor of the channel
  std::size_t from = 0;               // groups
  std::size_t to = 0;
  Number p_from;  // P(output given the group)
  Number p_to;
  std::uint64_t nodes = 0;            // that were opened
  std::optional<Level> root_bound{};  // what the transport bound says before any output is fixed, if that was asked
  std::optional<Unfinished> unfinished{};  // the level is only what was found, and lies below that
  bool shown = true;                       // false: no output that was seen shows a level, which is 0 and unfinished
};

/// When a search ends, found or not, and whom it tells a few times a second how far it is.
struct SearchLimits {
  double seconds = 1e8;
  std::stop_token stop{};
  /// With the level found so far, what it is at most (both in nats, rounded), and the nodes that were opened.
  std::function<void(double at_least, double at_most, std::uint64_t nodes)> told{};
  std::uint64_t most_nodes = UINT64_MAX;  // that may be opened: where the same is found in another way
  Bytes begun{};                          // what a short search left
};

/// At least one group of each side has mass; with only one the level is 0. Where the patience ends, or a limit of the
/// budget is reached, the level is what is known by then. Throws LimitError where nothing is: not for a stop alone.
SearchedLevel search_outputs(const ProjectedRows& seen, Budget& budget, const SearchLimits& patience = {});

/// What a search comes to that opens few nodes, by one thread: its outcome; or else what a longer one goes on from
/// (Patience::begun), which is empty if there is nothing.
struct Probe {
  Bytes outcome, begun;
};

/// The same in two steps, for many searches that others take a part of each (base/task.h): first each in short, then
/// the level that the outcome stands for.
Probe searched_in_short(const ProjectedRows& seen, Budget& budget, std::uint64_t most_nodes, double seconds);
SearchedLevel level_found_in_short(const ProjectedRows& seen, Budget& budget, const Bytes& outcome);

}  // namespace oddsbound::engine
