// A node of the search over outputs (output_search.h): the weights of the groups once the outputs of the first
// factors are fixed.
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
  double bound = kInfinity;  // upper bound of the ratios below the node
};

// The weights of the groups at a node, by suffix, up to a common factor.
struct Node {
  GroupWeights weights;
  std::vector<Pair> pairs;  // those for which some output may be better than the best
  bool out_of_range = false;
};

/// Returns the factors, those with the largest ratio between groups first, so that bounds fall early.
std::vector<std::size_t> by_information(const ProjectedRows& seen);

/// Returns the node without fixed outputs, with all allowed pairs of groups that have mass.
Node root_node(const ProjectedRows& seen, const Suffixes& suffixes);

/// Returns the child for an output of the next factor, without pairs.
Node fixed(const Suffixes& suffixes, const Node& node, std::size_t depth, std::uint32_t output);

// Proven upper bounds for levels that were not found exactly.

/// Returns a level of at least log(ratio): a rational number of nats, rounded up to 1e-6. Infinite for infinity.
/// `ratio` must be >= 1 up to rounding.
Level level_above(double ratio);

/// Returns the largest loss of a factor between any inputs that occur.
Level largest_loss(const SeenFactor& factor);
/// Returns the sum of the factors' largest losses: a bound between any rows that occur.
Level largest_loss(const ProjectedRows& seen);

// Outputs of a part that can have the largest ratio, whatever the outputs of the other parts are.

/// columns: [output][class], non-negative, none of them all 0. Returns the outputs without those that are
/// non-negative combinations of returned ones. These are never needed: the outputs of the other parts give every
/// class weights p and q, and (sum_j k_j p.c_j) / (sum_j k_j q.c_j) <= max_j (p.c_j) / (q.c_j).
///
/// Only tries combinations of as many outputs as there are classes: for each class the output in which its share
/// is largest. For two classes exactly these two outputs remain.
std::vector<std::size_t> needed_outputs(const std::vector<std::vector<Number>>& columns, Budget& budget);

}  // namespace oddsbound::engine
