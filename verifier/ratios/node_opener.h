// Opening nodes of the search over outputs, as units (base/task.h) that threads and processes work on.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "base/task.h"
#include "verifier/ratios/node_expander.h"

namespace oddsbound::ratios {

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

void pack(Packer& packer, const OpenNode& node);
/// Throws BytesError for what is no node within the ranges.
OpenNode unpack_node(Unpacker& unpacker, const NodeRanges& ranges);
void pack(Packer& packer, const BestOutput& best);

/// What is asked of NodeOpener::open, by one who knows the best output so far. bytes: of a kernel that may be kept.
Bytes unit_of(std::span<const OpenNode* const> nodes, const BestOutput& best, std::uint64_t bytes);
/// Of what that gives for a unit of so many nodes. Throws BytesError.
std::vector<Opened> unpack_opened(const Bytes& result, std::size_t nodes, const NodeRanges& ranges);

class NodeOpener {
 public:
  /// All of these outlive it.
  NodeOpener(const SeenRows& seen, const Suffixes& suffixes, const PathWeights& exact);

  const NodeRanges& ranges() const { return ranges_; }

  /// An output between two groups, with how likely it is.
  BestOutput best_at(Path path, std::uint32_t from, std::uint32_t to, Budget& budget) const;
  /// The same from what `pack` wrote. Throws BytesError.
  BestOutput unpack_best(Unpacker& unpacker, Budget& budget) const;

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

  const SeenRows& seen_;
  const Suffixes& suffixes_;
  const PathWeights& exact_;
  NodeRanges ranges_;
  std::mutex helpers_guard_;
  std::map<std::size_t, std::unique_ptr<Helper>> helpers_;  // by thread
};

}  // namespace oddsbound::ratios
