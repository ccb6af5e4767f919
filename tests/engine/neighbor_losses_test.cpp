// The worst neighbors of random products, against all pairs of inputs and all outputs.

#include "verifier/engine/neighbor_losses.h"

#include <doctest/doctest.h>
#include <algorithm>

#include "tests/support/random_product.h"
#include "verifier/model/product_channel.h"

using namespace oddsbound;
using namespace oddsbound::engine;
using namespace oddsbound::testing;

TEST_CASE("some worst pair has the largest divergence of all neighbors, and its inputs show it") {
  Random random(50);
  Budget budget;
  std::size_t largest_list = 0;
  for (int round = 0; round < 240; ++round) {
    const Model model =
        random_product(random, kinds_of_priors()[0], round % 4 == 0 ? Entries::kWithExp : Entries::kRational);
    if (model.channel->factors().empty() || model.channel->outputs() > 200) continue;
    std::vector<std::size_t> group;
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      if (round % 3 == 0 || below(random, 2) == 0) group.push_back(i);
    }
    const std::vector<NeighborLosses> pairs = worst_neighbors(model, group, 1024, false, budget).value().pairs;
    largest_list = std::max(largest_list, pairs.size());
    for (const Number& factor : {Number(1), Number::ratio(5, 4), Number(2), Number(5)}) {
      Number expected;
      for_pairs_within(model.domain, group, [&](std::uint64_t x, std::uint64_t z) {
        expected = std::max(expected, naive_delta(model, x, z, factor));
      });
      Number found;
      for (const NeighborLosses& pair : pairs) {
        const LossDistribution::Event event = composed(pair.losses, 1e6, budget).value().more_likely_than(factor);
        const Number delta = event.p - factor * event.q;
        CHECK(delta == naive_delta(model, model.domain.number(pair.from), model.domain.number(pair.to), factor));
        for (std::size_t i = 0; i < model.domain.size(); ++i) {
          if (std::find(group.begin(), group.end(), i) == group.end()) CHECK(pair.from[i] == pair.to[i]);
        }
        found = std::max(found, delta);
      }
      CHECK(found == expected);
    }
  }
  CHECK(largest_list > 1);
}

// Rows that differ in every pair of inputs, in kinds that do not dominate one another.
TEST_CASE("more kinds of pairs than allowed are not compared") {
  Random random(51);
  Budget budget;
  const Domain domain({{"x", {"a", "b", "c", "d"}}});
  const ChannelPtr channel = random_channel(random, domain, Entries::kRational, 4);
  const std::vector<Factor> parts(2, {channel, {0}});
  const Model model{domain, std::make_shared<const ProductChannel>(domain, parts), std::nullopt};
  CHECK(worst_neighbors(model, {0}, 12, false, budget));
  CHECK(!worst_neighbors(model, {0}, 1, false, budget));
}

TEST_CASE("too many kinds of pairs of independent parts are bounded from both sides") {
  Random random(52);
  Budget budget;
  int bounded = 0;
  for (int round = 0; round < 120; ++round) {
    std::vector<Coordinate> coordinates;
    std::vector<Factor> factors;
    for (std::size_t i = 0; i < 3; ++i) {
      coordinates.push_back({"x" + std::to_string(i), {"a", "b", "c"}});
      const Domain own({coordinates.back()});
      const auto channel = random_channel(random, own, round % 4 == 0 ? Entries::kWithExp : Entries::kRational, 3);
      factors.push_back({channel, {i}});
    }
    const Domain domain(coordinates);
    const Model model{domain, std::make_shared<const ProductChannel>(domain, factors), std::nullopt};
    const std::vector<std::size_t> group{0, 1, 2};
    const WorstNeighbors found = worst_neighbors(model, group, 6, true, budget).value();
    const WorstNeighbors all = worst_neighbors(model, group, 1024, false, budget).value();
    CHECK(!all.above);
    if (!found.above) continue;
    ++bounded;
    const auto largest = [&](const std::vector<NeighborLosses>& pairs, const Number& factor) {
      Number most;
      for (const NeighborLosses& pair : pairs) {
        const LossDistribution::Event event = composed(pair.losses, 1e6, budget).value().more_likely_than(factor);
        most = std::max(most, event.p - factor * event.q);
      }
      return most;
    };
    const LossDistribution above = composed(*found.above, 1e6, budget).value();
    for (const Number& factor : {Number::ratio(1, 3), Number(1), Number::ratio(5, 4), Number(2), Number(8)}) {
      const LossDistribution::Event event = above.more_likely_than(factor);
      const Number delta = largest(all.pairs, factor);
      CHECK(delta <= event.p - factor * event.q);
      CHECK(largest(found.pairs, factor) <= delta);
      CHECK(largest(found.pairs, Number(1)) * Number(2) >= largest(all.pairs, Number(1)));
      const NeighborLosses& pair = found.pairs.front();
      CHECK(largest({pair}, factor) ==
            naive_delta(model, model.domain.number(pair.from), model.domain.number(pair.to), factor));
    }
  }
  CHECK(bounded > 10);
}

// Two equal rows come first, so a limit that counts kinds without the equal rows would leave pairs unvisited.
TEST_CASE("equal rows count as a kind of pairs") {
  Budget budget;
  const Domain domain({{"x", {"a", "b", "c", "d"}}});
  std::vector<std::vector<Number>> rows;
  for (const int share : {2, 2, 3, 5}) rows.push_back({Number::ratio(1, share), Number::ratio(share - 1, share)});
  const std::vector<Factor> parts(2, {channel_of_rows(rows), {0}});
  const Model model{domain, std::make_shared<const ProductChannel>(domain, parts), std::nullopt};
  CHECK(kinds_of_neighbors(model, {{0}}, 7, budget).value().groups.at(0).components.at(0).size() == 6);
  for (std::size_t most = 1; most < 7; ++most) {
    CAPTURE(most);
    CHECK(!worst_neighbors(model, {0}, most, false, budget));
    CHECK(!kinds_of_neighbors(model, {{0}}, most, budget));
  }
}
