// Levels along the cliques of a network are those of the definition, whatever the network, the factors and the zeros.
#include "verifier/networks/network_search.h"

#include <doctest/doctest.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/errors.h"
#include "tests/support/effort.h"
#include "tests/support/random_product.h"
#include "verifier/measures/correlation.h"
#include "verifier/model/product_channel.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

constexpr Keeping kAll{2048, 0};

// Every coordinate but the first depends on one that comes before it, or on none; each is seen by a mechanism of its
// own, or by none.
Model random_tree(Random& random, std::size_t size, std::uint64_t most_values, Entries entries) {
  std::vector<Coordinate> coordinates;
  for (std::size_t i = 0; i < size; ++i) {
    Coordinate& coordinate = coordinates.emplace_back(Coordinate{"x" + std::to_string(i), {}});
    for (std::uint64_t v = 2 + below(random, most_values - 1); v > 0; --v)
      coordinate.values.push_back(std::to_string(v));
  }
  Model model{Domain(coordinates), nullptr, {}};
  std::vector<NetworkNode> nodes;
  std::vector<Factor> factors;
  for (std::size_t i = 0; i < size; ++i) {
    NetworkNode& node = nodes.emplace_back(NetworkNode{i, {}, {}});
    std::uint64_t rows = 1;
    if (i > 0 && below(random, 6) > 0) {
      node.parents = {below(random, i)};
      rows = model.domain.values(node.parents[0]);
    }
    while (node.table.size() < rows) {
      node.table.push_back(random_distribution(random, model.domain.values(i), Entries::kRational));
    }
    if (below(random, 5) == 0) continue;
    const std::vector<std::size_t> seen{i};
    factors.push_back({random_channel(random, model.domain.restricted_to(seen), entries, 3), seen});
  }
  if (factors.empty())
    factors.push_back(
        {random_channel(random, model.domain.restricted_to(std::vector<std::size_t>{0}), entries, 3), {0}});
  model.channel = std::make_shared<const ProductChannel>(model.domain, std::move(factors));
  model.prior = Prior::network(model.domain, std::move(nodes));
  return model;
}

void check_level(const Model& model, std::size_t i, const SearchedLevel& found) {
  CHECK_FALSE(found.unfinished);
  CHECK(found.level == naive_bcdp(model, i));
  CHECK(found.p_from == conditional(model, i, found.from, found.output));
  CHECK(found.p_to == conditional(model, i, found.to, found.output));
}

}  // namespace

TEST_CASE("the levels of a tree are those of the definition") {
  Random random(71);
  Budget budget;
  int infinite = 0;
  for (int round = 0; round < effort(200, 40); ++round) {
    CAPTURE(round);
    const Model model =
        random_tree(random, 1 + below(random, 4), 4, round % 3 == 0 ? Entries::kWithExp : Entries::kRational);
    const std::vector<SearchedLevel> levels = network_levels(model, kAll, budget);
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      check_level(model, i, levels[i]);
      infinite += levels[i].level.is_infinite() ? 1 : 0;
      CHECK(correlation(model.domain, *model.prior, i, budget) == naive_correlation(model, i));
    }
  }
  CHECK(infinite > 0);
}

TEST_CASE("networks of any shape, and mechanisms that see several coordinates") {
  Random random(72);
  Budget budget;
  for (const KindOfPrior& kind : kinds_of_priors()) {
    for (int round = 0; round < effort(300, 30); ++round) {
      CAPTURE(kind.name);
      CAPTURE(round);
      const Model model = random_product(random, kind, round % 4 == 0 ? Entries::kWithExp : Entries::kRational);
      CHECK(is_network(model) == !model.prior->tables().empty());
      if (!is_network(model)) break;
      const std::vector<SearchedLevel> levels = network_levels(model, kAll, budget);
      for (std::size_t i = 0; i < model.domain.size(); ++i) check_level(model, i, levels[i]);
    }
  }
}

TEST_CASE("what is left out shows: the level is within what is known of it") {
  Random random(73);
  Budget budget;
  int open = 0;
  int given_up = 0;
  for (int round = 0; round < effort(300, 40); ++round) {
    CAPTURE(round);
    const Model model = random_tree(random, 2 + below(random, 3), 4, Entries::kRational);
    for (const Keeping& keeping : {Keeping{0, 0}, Keeping{3, 0}, Keeping{2048, 0.03}}) {
      std::vector<SearchedLevel> levels;
      try {
        levels = network_levels(model, keeping, budget);
      } catch (const LimitError& error) {
        CHECK(keeping.most == 3);
        ++given_up;
        continue;
      }
      for (std::size_t i = 0; i < model.domain.size(); ++i) {
        const Level level = naive_bcdp(model, i);
        const SearchedLevel& found = levels[i];
        CHECK(found.level <= level);
        CHECK(level <= (found.unfinished ? found.unfinished->at_most : found.level));
        CHECK(found.p_from == conditional(model, i, found.from, found.output));
        CHECK(found.p_to == conditional(model, i, found.to, found.output));
        open += found.unfinished ? 1 : 0;
      }
    }
  }
  CHECK(open > 0);
  CHECK(given_up > 0);
}

TEST_CASE("repeated answers leave the range of doubles, and the levels are exact") {
  const Domain domain({{"told", {"0", "1"}}, {"hidden", {"0", "1"}}});
  const Number half = Number::ratio(1, 2);
  const ChannelPtr once =
      channel_of_rows({{Number::ratio(3, 4), Number::ratio(1, 4)}, {Number::ratio(1, 4), Number::ratio(3, 4)}});
  const Model model{
      domain, std::make_shared<const ProductChannel>(domain, std::vector<Factor>(1000, {once, {0}})),
      Prior::network(
          domain,
          {{1, {}, {{half, half}}},
           {0, {1}, {{Number::ratio(3, 4), Number::ratio(1, 4)}, {Number::ratio(1, 3), Number::ratio(2, 3)}}}})};
  Budget budget;
  const std::vector<SearchedLevel> levels = search_network(model, budget, 1e9);
  const Number far = Number(3).pow(1000);
  CHECK(levels[0].level == Level::of_exponential(far));
  CHECK(levels[1].level == Level::of_exponential((Number::ratio(2, 3) * far + Number::ratio(1, 3)) /
                                                 (Number::ratio(1, 4) * far + Number::ratio(3, 4))));
}

TEST_CASE("a search without time knows at least what single answers show") {
  Random random(74);
  Budget budget;
  const Model model = random_tree(random, 5, 4, Entries::kRational);
  const std::vector<SearchedLevel> stopped = search_network(model, budget, 0);
  const std::vector<SearchedLevel> levels = search_network(model, budget, 1e9);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    CHECK(stopped[i].level <= levels[i].level);
    CHECK(levels[i].level <= (stopped[i].unfinished ? stopped[i].unfinished->at_most : stopped[i].level));
  }
}
