#include "verifier/engine/speculative_expansion.h"

#include <algorithm>
#include <chrono>

namespace oddsbound::engine {

namespace {

using Clock = std::chrono::steady_clock;

// Target length of a round. At the end of a round all workers wait for the last one, and a new best output makes a
// round useless.
constexpr auto kShortRound = std::chrono::milliseconds(25);
constexpr auto kLongRound = std::chrono::milliseconds(75);
// While the coordinator processes the results of one round, the workers work on the next.
constexpr std::size_t kRounds = 2;
constexpr std::size_t kMostOfEach = 2048;
// A unit has an overhead, but every worker should get several.
constexpr std::size_t kMostOfUnit = 8, kUnitsOfEach = 8;

}  // namespace

Opened SpeculativeExpansion::opened(const WaitingNode& turn, const BestOutput& best, std::uint64_t best_number,
                                    const NextNodes& next) {
  if (best_number_ != best_number) forget();
  best_number_ = best_number;
  while (turn.begun_at != best_number || !turn.opened) {
    while (rounds_.size() < kRounds) begin(best, next);
    const auto began = Clock::now();
    const std::vector<Bytes> results = rounds_.front().begun->results();
    learn_length(rounds_.front(), Clock::now() - began);
    const std::vector<const WaitingNode*> nodes = std::move(rounds_.front().nodes);
    const std::vector<std::size_t> of_unit = std::move(rounds_.front().of_unit);
    rounds_.pop_front();
    auto node = nodes.begin();
    for (std::size_t k = 0; k < results.size(); ++k) {
      for (Opened& opened : unpack_opened(results[k], of_unit[k], ranges_)) {
        (*node++)->opened = std::make_unique<Opened>(std::move(opened));
      }
    }
  }
  return std::move(*turn.opened);
}

void SpeculativeExpansion::forget() {
  for (const Round& round : rounds_) {
    for (const WaitingNode* node : round.nodes) node->begun_at = WaitingNode::kNever;
  }
  rounds_.clear();
}

void SpeculativeExpansion::begin(const BestOutput& best, const NextNodes& next) {
  const std::size_t most = nodes_of_each_ * workers_.count();
  std::vector<const WaitingNode*> nodes;
  std::vector<const OpenNode*> asked;
  next([&](const WaitingNode& node) {
    if (node.begun_at == best_number_) return true;
    node.begun_at = best_number_;
    node.opened.reset();
    nodes.push_back(&node);
    asked.push_back(&node.node);
    return nodes.size() < most;
  });
  const bool is_full = nodes.size() == most;
  const std::size_t of_unit = std::clamp<std::size_t>(nodes.size() / (kUnitsOfEach * workers_.count()), 1, kMostOfUnit);
  std::vector<Bytes> units;
  std::vector<std::size_t> nodes_of_unit;
  for (std::span<const OpenNode* const> left(asked); !left.empty();) {
    const auto unit = left.first(std::min(of_unit, left.size()));
    units.push_back(unit_of(unit, best, bytes_));
    nodes_of_unit.push_back(unit.size());
    left = left.subspan(unit.size());
  }
  rounds_.push_back({std::move(nodes), std::move(nodes_of_unit), is_full, workers_.begin(std::move(units))});
}

void SpeculativeExpansion::learn_length(const Round& round, Clock::duration took) {
  if (took > kLongRound) nodes_of_each_ = std::max<std::size_t>(1, nodes_of_each_ / 2);
  if (took < kShortRound && round.is_full) nodes_of_each_ = std::min(kMostOfEach, nodes_of_each_ * 2);
}

}  // namespace oddsbound::engine
