// One step of the search over outputs: which children of a node may hold something better than the best output so far.
#pragma once

#include <functional>
#include <optional>

#include "verifier/ratios/path_weights.h"
#include "verifier/ratios/search_node.h"

namespace oddsbound::ratios {

/// An output between two groups, and how likely it is from each: in proportion.
struct BestOutput {
  Path path;
  std::uint32_t from = 0, to = 0;
  Number p_from, p_to;
  double least = 0;  // not above its ratio

  bool is_infinite() const { return p_to.is_zero(); }
};

/// A node by how one comes there, with the pairs of groups that are open.
struct OpenNode {
  Path path;
  std::vector<Pair> pairs;
};

double largest_bound(const std::vector<Pair>& pairs);

class NodeExpander {
 public:
  /// bytes: of the kernel that may be kept. All of these outlive it; look() is called now and then.
  NodeExpander(const SeenRows& seen, const Suffixes& suffixes, const PathWeights& exact, std::uint64_t bytes,
               Budget& budget, std::function<void()> look);

  /// From now on; the one before need not live any longer.
  void work_within(Budget& budget) { budget_ = &budget; }

  /// The weights at the end of a path.
  Node node_at(const Path& path) const;
  /// The pairs of a node at this depth whose outputs may be better than the best one.
  std::vector<Pair> open_pairs(const Path& path, std::size_t depth, std::vector<Pair> pairs, const BestOutput& best);
  /// The children that may hold something better than the best, by their outputs.
  std::vector<std::pair<std::uint32_t, Node>> children_of(const Node& node, std::size_t depth, const BestOutput& best);
  /// Not below the ratios of each pair below a node, for all pairs that are open there.
  std::vector<Pair> bounded(const Node& node, std::size_t depth, const std::vector<Pair>& pairs,
                            const BestOutput& best);
  /// All there is, as one node. tell: of the largest bound whenever that falls.
  std::vector<Pair> root_pairs(const Node& root, const BestOutput& best, const std::function<void(double)>& tell);

 private:
  static bool is_beaten(const Pair& pair, const BestOutput& best) { return pair.bound == 0 || pair.bound < best.least; }
  bool cannot_beat_exactly(const Path& path, std::size_t depth, const Pair& pair, const BestOutput& best) const;

  const SeenRows& seen_;
  const Suffixes& suffixes_;
  const PathWeights& exact_;
  std::size_t most_gathered_;
  Budget* budget_;
  std::function<void()> look_;
  LossKernel kernel_;
  Node root_;
};

}  // namespace oddsbound::ratios
