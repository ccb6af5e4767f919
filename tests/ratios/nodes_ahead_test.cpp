// What comes of a node is what comes of it with the best output of its turn, however early it was begun.
#include "verifier/ratios/nodes_ahead.h"

#include <doctest/doctest.h>

#include <set>

using namespace oddsbound;
using namespace oddsbound::ratios;

namespace {

// Of every unit, that it is open, and as many children as rounds were begun until then. Notes what was asked.
class CountingHands final : public Hands {
 public:
  std::size_t count() const override { return 2; }
  std::unique_ptr<Begun> begin(std::vector<Bytes> units) override {
    if (!units.empty()) ++rounds;
    asked.insert(asked.end(), units.begin(), units.end());
    return std::make_unique<Round>(units.size(), rounds);
  }

  std::uint64_t rounds = 0;
  std::vector<Bytes> asked;

 private:
  struct Round final : Begun {
    Round(std::size_t count, std::uint64_t number) : units(count), round(number) {}
    std::vector<Bytes> results() override {
      Packer result;
      result.put(true).put(false).put(round);
      for (std::uint64_t k = 0; k < round; ++k) pack(result, OpenNode{});
      return std::vector<Bytes>(units, result.take());
    }
    std::size_t units;
    std::uint64_t round;
  };
};

BestOutput best_of(std::uint32_t output) { return {{output}, 0, 1, Number(2), Number(1), 2}; }

}  // namespace

TEST_CASE("a node that was opened with another best output is opened again") {
  std::set<WaitingNode> waiting;
  for (std::uint32_t y = 0; y < 5; ++y) waiting.insert({5.0 - y, {{y}, {{0, 1, 5.0 - y}}}});
  CountingHands hands;
  NodesAhead ahead(hands, 0);
  auto turn = waiting.begin();
  const NodesAhead::NextNodes next = [&](const std::function<bool(const WaitingNode&)>& takes) {
    for (auto node = turn; node != waiting.end() && takes(*node);) ++node;
  };
  const auto go_on = [&] { turn = waiting.erase(turn); };

  CHECK(ahead.opened(*turn, best_of(7), 1, next).children.size() == 1);
  CHECK(hands.asked.size() == 5);
  go_on();
  CHECK(ahead.opened(*turn, best_of(7), 1, next).children.size() == 1);
  CHECK(hands.asked.size() == 5);  // it was opened with the first one
  go_on();
  CHECK(ahead.opened(*turn, best_of(8), 2, next).children.size() == 2);
  REQUIRE(hands.asked.size() == 8);
  CHECK(hands.asked[5] == unit_of(turn->node, best_of(8), 0));
  CHECK(hands.asked[2] == unit_of(turn->node, best_of(7), 0));
  go_on();

  // What a round has not given yet is begun again when the round is forgotten; what it has given is not.
  ahead.forget();
  CHECK(ahead.opened(*turn, best_of(8), 2, next).children.size() == 2);
  CHECK(hands.asked.size() == 8);
}

TEST_CASE("nodes of a round that is forgotten may go") {
  std::set<WaitingNode> waiting;
  for (std::uint32_t y = 0; y < 100; ++y) waiting.insert({100.0 - y, {{y}, {{0, 1, 100.0 - y}}}});
  CountingHands hands;
  NodesAhead ahead(hands, 0);
  auto turn = waiting.begin();
  const NodesAhead::NextNodes next = [&](const std::function<bool(const WaitingNode&)>& takes) {
    for (auto node = turn; node != waiting.end() && takes(*node);) ++node;
  };
  CHECK(ahead.opened(*turn, best_of(7), 1, next).children.size() == 1);
  const std::size_t begun = hands.asked.size();
  CHECK(begun < 100);
  ahead.forget();
  for (int k = 0; k < 40; ++k) turn = waiting.erase(turn);  // also some that were in the second round
  CHECK(ahead.opened(*turn, best_of(7), 1, next).is_open);
  CHECK(hands.asked[begun] == unit_of(turn->node, best_of(7), 0));
}
