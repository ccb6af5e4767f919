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
    const std::vector<NeighborLosses> pairs = worst_neighbors(model, group, 1024, budget).value();
    largest_list = std::max(largest_list, pairs.size());
    for (const Number& factor : {Number(1), Number::ratio(5, 4), Number(2), Number(5)}) {
      Number expected;
      for_pairs_within(model.domain, group, [&](std::uint64_t x, std::uint64_t z) {
        expected = std::max(expected, naive_delta(model, x, z, factor));
      });
      Number found;
      for (const NeighborLosses& pair : pairs) {
        const LossDistribution::Event event = pair.losses.more_likely_than(factor);
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
  CHECK(worst_neighbors(model, {0}, 12, budget));
  CHECK(!worst_neighbors(model, {0}, 1, budget));
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
    CHECK(!worst_neighbors(model, {0}, most, budget));
    CHECK(!kinds_of_neighbors(model, {{0}}, most, budget));
  }
}
