// A node of the search over outputs: what groups of rows weigh once the outputs of the first factors are fixed.
#pragma once

#include "verifier/ratios/transport_bound.h"

namespace oddsbound::ratios {

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
std::vector<std::size_t> by_information(const SeenRows& seen);

/// Before anything is fixed, with all pairs of groups that have mass.
Node root_node(const SeenRows& seen, const Suffixes& suffixes);

/// What is left once the next factor's output is fixed, without pairs.
Node fixed(const Suffixes& suffixes, const Node& node, std::size_t depth, std::uint32_t output);

}  // namespace oddsbound::ratios
