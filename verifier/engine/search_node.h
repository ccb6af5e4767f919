// A node of the search over outputs: what groups of rows weigh once the outputs of the first factors are fixed.
#pragma once

#include <vector>

#include "base/budget.h"
#include "verifier/engine/projected_rows.h"
#include "verifier/engine/transport_bound.h"
#include "verifier/exact/level.h"
#include "verifier/exact/number.h"

namespace oddsbound::engine {

struct Pair {
  std::uint32_t from;
  std::uint32_t to;
  double bound = kInfinity;  // of the ratios below the node
};

// The weights of the groups at a node, by suffix; up to a factor that all of them share.
struct Node {
  GroupWeights weights;
  std::vector<Pair> pairs;  // that may still be better than the best
  bool out_of_range = false;
};

/// The factors, those that tell the groups apart first: what they show is known early.
std::vector<std::size_t> by_information(const ProjectedRows& seen);

/// Before anything is fixed, with all pairs of groups that have mass.
Node root_node(const ProjectedRows& seen, const Suffixes& suffixes);

/// What is left once the next factor's output is fixed, without pairs.
Node fixed(const Suffixes& suffixes, const Node& node, std::size_t depth, std::uint32_t output);

// Levels that are proven to be above, where the level itself was not found.

/// At least log(ratio), with a few digits: a rational number of nats. Infinite for infinity. ratio >= 1 up to rounding.
Level level_above(double ratio);

/// What a factor can lose between any inputs that occur.
Level largest_loss(const SeenFactor& factor);
/// What all factors together can lose between any rows that occur: the sum of the largest loss of each.
Level largest_loss(const ProjectedRows& seen);

// Which outputs of a part can show the largest ratio, whatever the other parts answer.

/// columns: [output][class], not negative, none of them 0 throughout. Leaves out outputs that are sums of some that
/// stay, each times something that is not negative: what the other parts answer gives every class weights p and q, and
/// (sum_j k_j p.c_j) / (sum_j k_j q.c_j) is at most the largest (p.c_j) / (q.c_j). What is tried are sums of as many
/// outputs as there are classes, for each class the one in which it has the largest share: of two classes exactly these
/// two are left.
std::vector<std::size_t> needed_outputs(const std::vector<std::vector<Number>>& columns, Budget& budget);

}  // namespace oddsbound::engine
