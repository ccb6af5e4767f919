// Expands nodes of the search over outputs ahead of their turn, on the worker pool (base/task.h). The result of an
// expansion depends on the best output at that time, so it is valid only while that output is the best. This keeps
// the search deterministic: every node is expanded with the output that is best in its turn.
#pragma once

#include <chrono>
#include <deque>
#include <memory>

#include "base/task.h"
#include "verifier/engine/node_expansion.h"

namespace oddsbound::engine {

/// A node that waits for its turn; larger bounds come first. No two nodes are equal, so the order does not depend
/// on the order of insertion.
struct WaitingNode {
  double bound;
  OpenNode node;
  // If expanded ahead of its turn: the number of the best output at that time, and the result.
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
  /// bytes: memory for the loss kernel, per worker. The pool, the ranges and the waiting nodes must outlive this
  /// object.
  SpeculativeExpansion(WorkerPool& workers, const NodeRanges& ranges, std::uint64_t bytes)
      : workers_(workers), ranges_(ranges), bytes_(bytes) {}

  /// Calls `takes` with the nodes that come next, first the one in turn, until it returns false.
  using NextNodes = std::function<void(const std::function<bool(const WaitingNode&)>& takes)>;
  /// Returns the expansion of the node in turn. best_number: the number of the best output, which grows with each
  /// new one.
  Opened opened(const WaitingNode& turn, const BestOutput& best, std::uint64_t best_number, const NextNodes& next);

  /// Cancels all pending rounds. Must be called before a node that may be in a round is removed, which is any node
  /// except one returned by `opened`.
  void forget();

 private:
  struct Round {
    std::vector<const WaitingNode*> nodes;
    std::vector<std::size_t> of_unit;  // number of nodes per unit
    bool is_full;                      // there may be more nodes
    std::unique_ptr<PendingUnits> begun;
  };

  void begin(const BestOutput& best, const NextNodes& next);
  void learn_length(const Round& round, std::chrono::steady_clock::duration took);

  WorkerPool& workers_;
  const NodeRanges& ranges_;
  std::uint64_t bytes_;
  // Few at first: if nodes take long, many of those that wait never have their turn.
  std::size_t nodes_of_each_ = 1;
  std::uint64_t best_number_ = WaitingNode::kNever;
  std::deque<Round> rounds_;  // pending
};

}  // namespace oddsbound::engine
