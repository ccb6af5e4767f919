// Nodes of the search over outputs are opened ahead of their turn, by whoever has time (base/task.h). What comes of one
// depends on what was the best output then: so it counts only as long as that is the best.
#pragma once

#include <chrono>
#include <deque>
#include <memory>

#include "base/task.h"
#include "verifier/engine/node_expansion.h"

namespace oddsbound::engine {

/// A node that waits for its turn: the larger its bound, the earlier. No two are alike, so the order does not depend on
/// how they came.
struct WaitingNode {
  double bound;
  OpenNode node;
  // Ahead of its turn: the number of the best output when it was begun to be opened, and what came of it.
  static constexpr std::uint64_t kNever = UINT64_MAX;
  mutable std::uint64_t begun_at = kNever;
  mutable std::unique_ptr<Opened> opened{};
  friend bool operator<(const WaitingNode& a, const WaitingNode& b) {
    const Path &p = a.node.path, &q = b.node.path;
    if (a.bound != b.bound) return a.bound > b.bound;
    if (p.size() != q.size()) return p.size() > q.size();
    return p < q;
  }
};

class SpeculativeExpansion {
 public:
  /// bytes: of a kernel that may be kept, for each who opens nodes. The hands and ranges outlive it, and the nodes that
  /// wait.
  SpeculativeExpansion(WorkerPool& hands, const NodeRanges& ranges, std::uint64_t bytes)
      : hands_(hands), ranges_(ranges), bytes_(bytes) {}

  /// Calls what it is given with the nodes whose turn comes next, the one whose turn it is first, until that says
  /// false.
  using NextNodes = std::function<void(const std::function<bool(const WaitingNode&)>& takes)>;
  /// What comes of the node whose turn it is. best_number: of the best output so far, among all that were.
  Opened opened(const WaitingNode& turn, const BestOutput& best, std::uint64_t best_number, const NextNodes& next);

  /// No round is worked on any more. To be called before a node goes that may be in one: that is, any but one that
  /// `opened` gave.
  void forget();

 private:
  struct Round {
    std::vector<const WaitingNode*> nodes;
    std::vector<std::size_t> of_unit;  // how many of them are in each
    bool is_full;                      // there may be more nodes
    std::unique_ptr<PendingUnits> begun;
  };

  void begin(const BestOutput& best, const NextNodes& next);
  void learn_length(const Round& round, std::chrono::steady_clock::duration took);

  WorkerPool& hands_;
  const NodeRanges& ranges_;
  std::uint64_t bytes_;
  std::size_t nodes_of_each_ = 16;
  std::uint64_t best_number_ = WaitingNode::kNever;
  std::deque<Round> rounds_;  // that are worked on
};

}  // namespace oddsbound::engine
