// A node's expansion is the one for the best output at its turn, however early the expansion was begun.

#include <doctest/doctest.h>
#include <set>

#include "verifier/engine/speculative_expansion.h"

using namespace oddsbound;
using namespace oddsbound::engine;

namespace {

const NodeRanges kRanges{{1000}, 2};

std::vector<OpenNode> nodes_of(const Bytes& unit) {
  BinaryReader asked(unit);
  asked.word();
  asked.text();
  std::vector<OpenNode> nodes(asked.count());
  for (OpenNode& node : nodes) node = unpack_node(asked, kRanges);
  return nodes;
}

// Reports every node as open; its children are copies of it, as many as rounds were begun so far. Records the
// units.
class CountingHands final : public WorkerPool {
 public:
  std::size_t count() const override { return 2; }
  std::unique_ptr<PendingUnits> begin(std::vector<Bytes> units) override {
    if (!units.empty()) ++rounds;
    asked.insert(asked.end(), units.begin(), units.end());
    return std::make_unique<Round>(std::move(units), rounds);
  }

  std::uint64_t rounds = 0;
  std::vector<Bytes> asked;

 private:
  struct Round final : PendingUnits {
    Round(std::vector<Bytes> of, std::uint64_t number) : units(std::move(of)), round(number) {}
    std::vector<Bytes> results() override {
      std::vector<Bytes> all;
      for (const Bytes& unit : units) {
        const std::vector<OpenNode> nodes = nodes_of(unit);
        BinaryWriter result;
        result.put(nodes.size());
        for (const OpenNode& node : nodes) {
          result.put(true).put(false).put(round);
          for (std::uint64_t k = 0; k < round; ++k) pack(result, node);
        }
        all.push_back(result.take());
      }
      return all;
    }
    std::vector<Bytes> units;
    std::uint64_t round;
  };
};

// Nodes with decreasing bounds, and the node whose turn it is.
struct Queue {
  explicit Queue(std::uint32_t nodes) {
    for (std::uint32_t y = 0; y < nodes; ++y) waiting.insert({1000.0 - y, {{y}, {{0, 1, 1000.0 - y}}}});
    turn = waiting.begin();
  }
  void go_on() { turn = waiting.erase(turn); }
  Opened opened(SpeculativeExpansion& ahead, const BestOutput& best, std::uint64_t best_number) const {
    return ahead.opened(*turn, best, best_number, [this](const std::function<bool(const WaitingNode&)>& takes) {
      for (auto node = turn; node != waiting.end() && takes(*node);) ++node;
    });
  }
  std::set<WaitingNode> waiting;
  std::set<WaitingNode>::const_iterator turn;
};

Bytes unit_of_one(const OpenNode& node, const BestOutput& best) {
  const OpenNode* const nodes[] = {&node};
  return unit_of(nodes, best, 0);
}

BestOutput best_of(std::uint32_t output) { return {{output}, 0, 1, Number(2), Number(1), 2}; }

}  // namespace

TEST_CASE("a node that was opened with another best output is opened again") {
  Queue queue(4);
  CountingHands workers;
  SpeculativeExpansion ahead(workers, kRanges, 0);
  CHECK(queue.opened(ahead, best_of(7), 1).children.size() == 1);
  CHECK(workers.asked.size() == 4);
  queue.go_on();
  CHECK(queue.opened(ahead, best_of(7), 1).children.size() == 1);
  CHECK(workers.asked.size() == 4);  // it was opened in the first round
  queue.go_on();
  CHECK(queue.opened(ahead, best_of(8), 2).children.size() == 3);  // two rounds were begun before
  REQUIRE(workers.asked.size() == 6);
  CHECK(workers.asked[4] == unit_of_one(queue.turn->node, best_of(8)));
  CHECK(workers.asked[2] == unit_of_one(queue.turn->node, best_of(7)));
  queue.go_on();

  // After forget(), only results that have not arrived are requested again.
  ahead.forget();
  CHECK(queue.opened(ahead, best_of(8), 2).children.size() == 3);
  CHECK(workers.asked.size() == 6);
}

TEST_CASE("nodes of a round that is forgotten may go") {
  Queue queue(100);
  CountingHands workers;
  SpeculativeExpansion ahead(workers, kRanges, 0);
  CHECK(queue.opened(ahead, best_of(7), 1).children.size() == 1);
  const std::size_t begun = workers.asked.size();
  CHECK(begun < 50);
  ahead.forget();
  for (int k = 0; k < 40; ++k) queue.go_on();  // also past some nodes of the second round
  CHECK(queue.opened(ahead, best_of(7), 1).is_open);
  CHECK(nodes_of(workers.asked[begun]).front().path == queue.turn->node.path);
}

TEST_CASE("what comes of a unit of several nodes is told apart") {
  Queue queue(300);
  CountingHands workers;
  SpeculativeExpansion ahead(workers, kRanges, 0);
  for (int k = 0; k < 300; ++k) {
    const Opened opened = queue.opened(ahead, best_of(7), 1);
    REQUIRE(!opened.children.empty());
    CHECK(opened.children.back().path == queue.turn->node.path);
    queue.go_on();
  }
  CHECK(workers.asked.size() < 150);
}
