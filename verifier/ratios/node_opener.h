// Nodes of the search over outputs are opened by whoever has time: by threads and processes (base/task.h), ahead of
// their turn. What comes of one depends on what was the best output then: so it counts only as long as that is the
// best.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>

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

void pack(Packer& packer, const OpenNode& node);
OpenNode unpack_node(Unpacker& unpacker);
void pack(Packer& packer, const BestOutput& best);

class NodeOpener {
 public:
  /// All of these outlive it.
  NodeOpener(const SeenRows& seen, const Suffixes& suffixes, const PathWeights& exact)
      : seen_(seen), suffixes_(suffixes), exact_(exact) {}

  /// An output between two groups, with how likely it is.
  BestOutput best_at(Path path, std::uint32_t from, std::uint32_t to, Budget& budget) const;
  /// The same from what `pack` wrote. Throws BytesError.
  BestOutput unpack_best(Unpacker& unpacker, Budget& budget) const;

  /// Does what `opened` asks for, for whoever leads. look() is called now and then.
  Bytes open(const Bytes& unit, std::size_t thread, Budget& budget, const std::function<void(Budget&)>& look);

  /// Calls what it is given with the nodes whose turn comes next, until that says false.
  using NextNodes = std::function<void(const std::function<bool(OpenNode)>& takes)>;
  /// What comes of a node; others are opened with it. best_number: of the best output so far, among all that were;
  /// bytes: of a kernel that may be kept.
  Opened opened(OpenNode node, const BestOutput& best, std::uint64_t best_number, std::uint64_t bytes, Hands& hands,
                const NextNodes& next);

 private:
  // What a thread keeps from one node to the next.
  struct Helper {
    Budget* budget = nullptr;
    std::unique_ptr<NodeExpander> expander;
    Bytes best_as_bytes;
    BestOutput best;
  };
  struct Ahead {
    std::uint64_t best_number;
    Opened opened;
  };

  Opened opened_output(NodeExpander& expander, const OpenNode& node, const BestOutput& best, Budget& budget) const;
  Helper& helper_of(std::size_t thread, std::uint64_t bytes, Budget& budget, const std::function<void(Budget&)>& look);

  const SeenRows& seen_;
  const Suffixes& suffixes_;
  const PathWeights& exact_;
  std::map<Path, Ahead> ahead_;
  std::mutex helpers_guard_;
  std::map<std::size_t, std::unique_ptr<Helper>> helpers_;  // by thread
};

}  // namespace oddsbound::ratios
