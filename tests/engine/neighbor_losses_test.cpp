// The worst neighbors of random products, against all pairs of inputs and all outputs.

#include "verifier/engine/neighbor_losses.h"

#include <doctest/doctest.h>
#include <algorithm>

#include "tests/support/random_product.h"

using namespace oddsbound;
using namespace oddsbound::engine;
using namespace oddsbound::testing;

namespace {

Number delta_of(const Model& model, std::uint64_t x, std::uint64_t z, const Number& factor) {
  Number delta;
  for (std::uint64_t y = 0; y < model.channel->outputs(); ++y) {
    const Number term = model.channel->entry(x, y) - factor * model.channel->entry(z, y);
    if (term.sign() > 0) delta += term;
  }
  return delta;
}

}  // namespace

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
    const std::vector<NeighborLosses> pairs = worst_neighbors(model, group, budget);
    largest_list = std::max(largest_list, pairs.size());
    for (const Number& factor : {Number(1), Number::ratio(5, 4), Number(2), Number(5)}) {
      Number expected;
      for_pairs_within(model.domain, group, [&](std::uint64_t x, std::uint64_t z) {
        expected = std::max(expected, delta_of(model, x, z, factor));
      });
      Number found;
      for (const NeighborLosses& pair : pairs) {
        const LossDistribution::Event event = pair.losses.more_likely_than(factor);
        const Number delta = event.p - factor * event.q;
        CHECK(delta == delta_of(model, model.domain.number(pair.from), model.domain.number(pair.to), factor));
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
