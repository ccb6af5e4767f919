// One step of the branch and bound over outputs (output_search.h): which children of a node may hold a better
// output than the best one so far.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "base/task.h"
#include "verifier/engine/averaged_bound.h"
#include "verifier/engine/moment_bound.h"
#include "verifier/engine/pair_losses.h"
#include "verifier/engine/search_node.h"

namespace oddsbound::engine {

/// An output, a pair of groups, and the output's probability given each group, up to a common factor.
struct BestOutput {
  Path path;
  std::uint32_t from = 0, to = 0;
  Number p_from, p_to;
  double least = 0;  // lower bound of p_from / p_to

  bool is_infinite() const { return p_to.is_zero(); }
};

/// A node as its path, with the pairs of groups that are open.
struct OpenNode {
  Path path;
  std::vector<Pair> pairs;
};

double largest_bound(const std::vector<Pair>& pairs);

class NodeExpander {
 public:
  /// bytes: memory for the loss kernel. All arguments must outlive this object.
  /// Calls look() from time to time.
  NodeExpander(const ProjectedRows& seen, const Suffixes& suffixes, const PathWeights& exact, Averages averages,
               std::uint64_t bytes, Budget& budget, std::function<void()> look);

  /// Uses this budget from now on; the previous one may be destroyed.
  void work_within(Budget& budget) { budget_ = &budget; }

  /// Returns the weights at the end of a path.
  Node node_at(const Path& path) const;
  /// Returns the pairs of a node at this depth for which some output may be better than the best one.
  std::vector<Pair> open_pairs(const Path& path, std::size_t depth, std::vector<Pair> pairs, const BestOutput& best);
  /// Returns the children that may hold a better output than the best one, with their outputs.
  std::vector<std::pair<std::uint32_t, Node>> children_of(const Node& node, const Path& path, std::size_t depth,
                                                          const BestOutput& best);
  /// Returns the pairs that may still hold a better output than the best one. Their bounds are upper bounds of the
  /// pair's ratios below the node. holds_best: the best output is below the node.
  std::vector<Pair> bounded(const Node& node, std::size_t depth, const std::vector<Pair>& pairs, const BestOutput& best,
                            bool holds_best);
  /// Returns the open pairs of the root, with bounds. Calls tell(largest bound) whenever the largest bound
  /// decreases.
  std::vector<Pair> root_pairs(const Node& root, const BestOutput& best, const std::function<void(double)>& tell);
  /// Returns true if the transport bound is computed for nodes at this depth with this many open pairs, where the
  /// averaged bound does not discard them.
  bool pays_transport(std::size_t depth, std::size_t pairs);

 private:
  static bool is_beaten(const Pair& pair, const BestOutput& best) { return pair.bound == 0 || pair.bound < best.least; }
  LossKernel& kernel();
  AveragedBound& averages();
  bool is_always() const { return averages_ == Averages::kAlways || averages_ == Averages::kInGroups; }
  // The averaged bound is tried first if it takes fewer steps.
  bool pays_averaged(std::size_t depth, std::size_t pairs);
  double transport_steps(std::size_t depth, std::size_t pairs) const;
  double averaged_bound(const Node& node, std::size_t depth, const Pair& pair, const BestOutput& best, bool holds_best,
                        double most);
  MomentBound& moments();
  // Moments take much longer than other bounds, and are computed last.
  bool pays_moments(std::size_t depth, std::size_t pairs);
  std::vector<Pair> lowered_by_moments(const Node& node, std::size_t depth, std::vector<Pair> pairs,
                                       const BestOutput& best);
  void lower(const Node& root, Pair& pair, const BestOutput& best, double& enough);
  std::vector<Pair> averaged(const Node& node, std::size_t depth, const std::vector<Pair>& pairs,
                             const BestOutput& best, bool holds_best);
  bool cannot_beat_exactly(const Path& path, std::size_t depth, const Pair& pair, const BestOutput& best) const;

  const ProjectedRows& seen_;
  const Suffixes& suffixes_;
  const PathWeights& exact_;
  Averages averages_;
  std::uint64_t bytes_;
  Budget* budget_;
  std::function<void()> look_;
  std::optional<LossKernel> kernel_;       // created when the first transport bound is computed
  std::optional<AveragedBound> averaged_;  // created when its bound is first considered
  std::optional<MomentBound> moments_;     // created when its bound is first considered
  Node root_;
};

// Expansion of nodes as units (base/task.h) that threads and processes work on.

/// The result of expanding a node.
struct Opened {
  bool is_open = false;    // for some pair an output may be better than the best
  bool is_better = false;  // the node is an output, and better than the best
  std::vector<OpenNode> children;
};

/// Expands a node that is not an output.
Opened open_node(NodeExpander& expander, const OpenNode& node, const BestOutput& best);

/// Upper bounds of the numbers in a serialized node or output.
struct NodeRanges {
  std::vector<std::uint64_t> outputs;  // by depth: outputs of the factor there
  std::uint64_t groups = 0;
};

void pack(BinaryWriter& writer, const OpenNode& node);
/// Throws BytesError if the bytes are not a node within the ranges.
OpenNode unpack_node(BinaryReader& reader, const NodeRanges& ranges);
void pack(BinaryWriter& writer, const BestOutput& best);

/// Returns a unit for NodeExpansion::open. best: the best output so far. bytes: memory for the loss kernel.
Bytes unit_of(std::span<const OpenNode* const> nodes, const BestOutput& best, std::uint64_t bytes);
/// Reads the result of a unit of `nodes` nodes. Throws BytesError.
std::vector<Opened> unpack_opened(const Bytes& result, std::size_t nodes, const NodeRanges& ranges);

class NodeExpansion {
 public:
  /// All arguments must outlive this object.
  NodeExpansion(const ProjectedRows& seen, const Suffixes& suffixes, const PathWeights& exact, Averages averages);

  const NodeRanges& ranges() const { return ranges_; }
  /// Returns how many expanders fit in the memory that is left, at least 1.
  std::size_t most_expanders(const Budget& budget) const;

  /// Returns an output between two groups, with its probabilities.
  BestOutput best_at(Path path, std::uint32_t from, std::uint32_t to, Budget& budget) const;
  /// Reads what `pack` wrote. Throws BytesError.
  BestOutput unpack_best(BinaryReader& reader, Budget& budget) const;

  /// Called from time to time.
  using Look = std::function<void(Budget&)>;
  /// Expands the nodes of a unit, for the coordinator.
  Bytes open(const Bytes& unit, std::size_t thread, Budget& budget, const Look& look);

  /// Returns the expander of a thread, which lives as long as this object. bytes: memory for the loss kernel.
  NodeExpander& expander(std::size_t thread, std::uint64_t bytes, Budget& budget, const Look& look);

 private:
  // The state that a thread keeps from one node to the next.
  struct Helper {
    Budget* budget = nullptr;
    Look look;
    std::unique_ptr<NodeExpander> expander;
    Bytes best_as_bytes;
    BestOutput best;
  };

  Opened opened(const OpenNode& node, Helper& helper, Budget& budget) const;
  Opened opened_output(NodeExpander& expander, const OpenNode& node, const BestOutput& best, Budget& budget) const;
  Helper& helper_of(std::size_t thread, std::uint64_t bytes, Budget& budget, const Look& look);

  const ProjectedRows& seen_;
  const Suffixes& suffixes_;
  const PathWeights& exact_;
  Averages averages_;
  NodeRanges ranges_;
  std::mutex helpers_guard_;
  std::map<std::size_t, std::unique_ptr<Helper>> helpers_;  // by thread
};

}  // namespace oddsbound::engine
