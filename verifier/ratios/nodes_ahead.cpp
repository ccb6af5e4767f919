#include "verifier/ratios/nodes_ahead.h"

#include <algorithm>
#include <chrono>

namespace oddsbound::ratios {

namespace {

using Clock = std::chrono::steady_clock;

// At the end of a round everybody waits for the last one, and a new best output makes a round useless: so nodes are
// opened for this long before their turn.
constexpr auto kShortRound = std::chrono::milliseconds(50);
constexpr auto kLongRound = std::chrono::milliseconds(150);
// While who leads looks at what came of one, the others work on the next.
constexpr std::size_t kRounds = 2;
constexpr std::size_t kFewestOfEach = 4, kMostOfEach = 2048;

}  // namespace

Opened NodesAhead::opened(const WaitingNode& turn, const BestOutput& best, std::uint64_t best_number,
                          const NextNodes& next) {
  if (best_number_ != best_number) forget();
  best_number_ = best_number;
  while (turn.begun_at != best_number || !turn.opened) {
    while (rounds_.size() < kRounds) begin(best, next);
    const auto began = Clock::now();
    const std::vector<Bytes> results = rounds_.front().begun->results();
    learn_length(rounds_.front(), Clock::now() - began);
    const std::vector<const WaitingNode*> nodes = std::move(rounds_.front().nodes);
    rounds_.pop_front();
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      nodes[k]->opened = std::make_unique<Opened>(unpack_opened(results[k]));
    }
  }
  return std::move(*turn.opened);
}

void NodesAhead::forget() {
  for (const Round& round : rounds_) {
    for (const WaitingNode* node : round.nodes) node->begun_at = WaitingNode::kNever;
  }
  rounds_.clear();
}

void NodesAhead::begin(const BestOutput& best, const NextNodes& next) {
  const std::size_t most = nodes_of_each_ * hands_.count();
  std::vector<const WaitingNode*> nodes;
  std::vector<Bytes> units;
  next([&](const WaitingNode& node) {
    if (node.begun_at == best_number_) return true;
    node.begun_at = best_number_;
    node.opened.reset();
    nodes.push_back(&node);
    units.push_back(unit_of(node.node, best, bytes_));
    return nodes.size() < most;
  });
  const bool is_full = nodes.size() == most;
  rounds_.push_back({std::move(nodes), is_full, hands_.begin(std::move(units))});
}

void NodesAhead::learn_length(const Round& round, Clock::duration took) {
  if (took > kLongRound) nodes_of_each_ = std::max(kFewestOfEach, nodes_of_each_ / 2);
  if (took < kShortRound && round.is_full) nodes_of_each_ = std::min(kMostOfEach, nodes_of_each_ * 2);
}

}  // namespace oddsbound::ratios
