// One step of the search over outputs: which children of a node may hold something better than the best output so far.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "base/task.h"
#include "verifier/engine/pair_losses.h"
#include "verifier/engine/search_node.h"

namespace oddsbound::engine {

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
  NodeExpander(const ProjectedRows& seen, const Suffixes& suffixes, const PathWeights& exact, std::uint64_t bytes,
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

  const ProjectedRows& seen_;
  const Suffixes& suffixes_;
  const PathWeights& exact_;
  std::size_t most_gathered_;
  Budget* budget_;
  std::function<void()> look_;
  LossKernel kernel_;
  Node root_;
};

// Opening nodes of the search over outputs, as units (base/task.h) that threads and processes work on.

/// What comes of opening a node.
struct Opened {
  bool is_open = false;    // there are pairs whose outputs may be better than the best
  bool is_better = false;  // it is an output, and one of these is
  std::vector<OpenNode> children;
};

/// Of a node that is no output.
Opened open_node(NodeExpander& expander, const OpenNode& node, const BestOutput& best);

/// How large the numbers in a node and in an output may be.
struct NodeRanges {
  std::vector<std::uint64_t> outputs;  // by depth: of the factor there
  std::uint64_t groups = 0;
};

void pack(BinaryWriter& packer, const OpenNode& node);
/// Throws BytesError for what is no node within the ranges.
OpenNode unpack_node(BinaryReader& unpacker, const NodeRanges& ranges);
void pack(BinaryWriter& packer, const BestOutput& best);

/// What is asked of NodeExpansion::open, by one who knows the best output so far. bytes: of a kernel that may be kept.
Bytes unit_of(std::span<const OpenNode* const> nodes, const BestOutput& best, std::uint64_t bytes);
/// Of what that gives for a unit of so many nodes. Throws BytesError.
std::vector<Opened> unpack_opened(const Bytes& result, std::size_t nodes, const NodeRanges& ranges);

class NodeExpansion {
 public:
  /// All of these outlive it.
  NodeExpansion(const ProjectedRows& seen, const Suffixes& suffixes, const PathWeights& exact);

  const NodeRanges& ranges() const { return ranges_; }

  /// An output between two groups, with how likely it is.
  BestOutput best_at(Path path, std::uint32_t from, std::uint32_t to, Budget& budget) const;
  /// The same from what `pack` wrote. Throws BytesError.
  BestOutput unpack_best(BinaryReader& unpacker, Budget& budget) const;

  /// Called now and then.
  using Look = std::function<void(Budget&)>;
  /// Opens the nodes of a unit, for whoever leads.
  Bytes open(const Bytes& unit, std::size_t thread, Budget& budget, const Look& look);

  /// What a thread opens nodes with; it is there as long as this. bytes: of a kernel that may be kept.
  NodeExpander& expander(std::size_t thread, std::uint64_t bytes, Budget& budget, const Look& look);

 private:
  // What a thread keeps from one node to the next.
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
  NodeRanges ranges_;
  std::mutex helpers_guard_;
  std::map<std::size_t, std::unique_ptr<Helper>> helpers_;  // by thread
};

}  // namespace oddsbound::engine
