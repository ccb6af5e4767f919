// Levels along the cliques of a network equal the definition, for any network, factors and zeros.

#include <doctest/doctest.h>
#include <bit>
#include <memory>
#include <numeric>
#include <stop_token>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/errors.h"
#include "tests/support/effort.h"
#include "tests/support/random_product.h"
#include "verifier/engine/group_levels.h"
#include "verifier/engine/group_search.h"
#include "verifier/engine/measured_model.h"
#include "verifier/engine/network_search.h"
#include "verifier/exact/expression.h"
#include "verifier/measures/correlation.h"
#include "verifier/model/product_channel.h"
#include "verifier/notions/bcdp.h"
#include "verifier/notions/cdp.h"
#include "verifier/notions/ldp.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

constexpr PruneOptions kAll{2048, 0};

// Every coordinate except the first depends on one earlier coordinate or on none. Each is seen by a mechanism of
// its own, or by none.
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

// A chain of binary coordinates, each equal to the one before it with probability 3/4; the first `released` ones
// are released.
Model chain_of(std::size_t size, std::size_t released) {
  const Number often = Number::ratio(3, 4);
  const Number seldom = Number::ratio(1, 4);
  std::vector<Coordinate> coordinates;
  std::vector<NetworkNode> nodes;
  std::vector<Factor> factors;
  const ChannelPtr once = channel_of_rows({{often, seldom}, {seldom, often}});
  for (std::size_t i = 0; i < size; ++i) {
    coordinates.push_back({"x" + std::to_string(i), {"0", "1"}});
    nodes.push_back({i, {}, {{often, seldom}}});
    if (i > 0) nodes.back() = {i, {i - 1}, {{often, seldom}, {seldom, often}}};
    if (i < released) factors.push_back({once, {i}});
  }
  const Domain domain(coordinates);
  return {domain, std::make_shared<const ProductChannel>(domain, std::move(factors)),
          Prior::network(domain, std::move(nodes))};
}

void check_level(const Model& model, std::size_t i, const GroupLevel& found) {
  CHECK_FALSE(found.unfinished);
  CHECK(found.at_least == naive_bcdp(model, i));
  CHECK(found.witness.get().p_from == conditional(model, i, found.from, found.witness.get().output));
  CHECK(found.witness.get().p_to == conditional(model, i, found.to, found.witness.get().output));
}

}  // namespace

TEST_CASE("the levels of a tree are those of the definition") {
  Random random(71);
  Budget budget;
  int infinite = 0;
  for (int round = 0; round < effort(200, 10); ++round) {
    CAPTURE(round);
    const Model model =
        random_tree(random, 1 + below(random, 4), 4, round % 3 == 0 ? Entries::kWithExp : Entries::kRational);
    const std::vector<GroupLevel> levels = network_levels(model, *network_of(model, budget), kAll, budget);
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      check_level(model, i, levels[i]);
      infinite += levels[i].at_least.is_infinite() ? 1 : 0;
      CHECK(correlation(model.domain, *model.prior, i, budget) == naive_correlation(model, i));
    }
  }
  CHECK(infinite > 0);
}

TEST_CASE("levels of a network are the same for one thread and for several") {
  Random random(171);
  for (int round = 0; round < effort(60, 8); ++round) {
    CAPTURE(round);
    const Model model = random_tree(random, 2 + below(random, 6), 3, Entries::kWithExp);
    std::vector<std::vector<GroupLevel>> found;
    for (const std::size_t threads : {std::size_t{1}, std::size_t{4}}) {
      Limits limits;
      limits.threads = threads;
      limits.microseconds_alone = 0;
      Budget budget(limits);
      found.push_back(network_levels(model, *network_of(model, budget), kAll, budget));
    }
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      const GroupLevel &one = found[0][i], &other = found[1][i];
      CHECK(one.at_least == other.at_least);
      CHECK(one.from == other.from);
      CHECK(one.to == other.to);
      CHECK(one.witness.get().output == other.witness.get().output);
      CHECK(one.witness.get().p_from == other.witness.get().p_from);
    }
  }
}

TEST_CASE("a stop request ends the threads of a network") {
  std::stop_source stop;
  stop.request_stop();
  Limits limits;
  limits.threads = 3;
  limits.microseconds_alone = 0;
  limits.stop = stop.get_token();
  const Model model = chain_of(40, 40);
  Budget unstopped;
  const Network network = *network_of(model, unstopped);
  Budget budget(limits);
  CHECK_THROWS_AS(network_levels(model, network, kAll, budget), LimitError);
}

TEST_CASE("bounds of levels in doubles contain the levels of the definition") {
  Random random(172);
  int bounded = 0;
  for (int round = 0; round < effort(300, 30); ++round) {
    CAPTURE(round);
    const Entries entries = round % 2 == 0 ? Entries::kWithExp : Entries::kRational;
    const Model model = random_tree(random, 1 + below(random, 4), 4, entries);
    Budget budget;
    const auto bounds = network_bounds(model, *network_of(model, budget), budget);
    if (!bounds) continue;
    ++bounded;
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      const GroupLevel& level = (*bounds)[i];
      const Level exact = naive_bcdp(model, i);
      CHECK(level.at_least <= exact);
      CHECK(exact <= level.at_most());
      CHECK(level.at_most().exponential() < level.at_least.exponential() * Number::ratio(1000001, 1000000));
    }
  }
  CHECK(bounded > 0);
}

TEST_CASE("a claim about a chain with long levels holds by bounds, and a refutation shows an output") {
  const std::size_t nodes = 110;  // 20 * 110^3 characters take 16 s
  Model model = chain_of(nodes, 0);
  const Number odds = Number::exp_of(Number(1)), keep = odds / (odds + Number(1));
  const ChannelPtr answer = channel_of_rows({{keep, Number(1) - keep}, {Number(1) - keep, keep}});
  std::vector<Factor> factors;
  for (std::size_t i = 0; i < nodes; ++i) factors.push_back({answer, {i}});
  model.channel = std::make_shared<const ProductChannel>(model.domain, std::move(factors));
  Limits limits;
  limits.max_seconds = 20;
  Budget budget(limits);
  CHECK(has_long_levels(*network_of(model, budget), limits));
  CHECK_FALSE(has_long_levels(*network_of(model, budget), Limits()));
  const auto decide = [&](const char* level) {
    MeasuredModel subject(model, budget);
    Arguments arguments;
    arguments.set("epsilon", CoordinateLevels(nodes, as_level(evaluate_expression(level))));
    return notions::bcdp_notion().decide(subject, arguments);
  };
  const notions::Decision holds = decide("5");
  CHECK(holds.holds == Answer::kYes);
  CHECK(holds.tight == Answer::kNo);
  MeasuredModel exact(model, budget);
  const std::vector<MeasuredLevel> levels = notions::measured_bcdp(exact);
  for (const auto& [name, level] : std::get<notions::NamedLevels>(holds.actual)) {
    const std::size_t i = std::stoul(name.substr(1));
    CHECK(level.unfinished.has_value());
    CHECK(level.at_least < levels[i].at_least);
    CHECK(levels[i].at_least < level.at_most());
  }
  const notions::Decision refuted = decide("1");
  CHECK(refuted.holds == Answer::kNo);
  REQUIRE(refuted.witness);
  CHECK(refuted.witness->p_from > Number::exp_of(Number(1)) * refuted.witness->p_to);
}

TEST_CASE("networks of any shape, and mechanisms that see several coordinates") {
  Random random(72);
  Budget budget;
  for (const KindOfPrior& kind : kinds_of_priors()) {
    for (int round = 0; round < effort(300, 10); ++round) {
      CAPTURE(kind.name);
      CAPTURE(round);
      const Model model = random_product(random, kind, round % 4 == 0 ? Entries::kWithExp : Entries::kRational);
      CHECK(network_of(model, budget).has_value() == !model.prior->tables().empty());
      if (model.prior->tables().empty()) break;
      const std::vector<GroupLevel> levels = network_levels(model, *network_of(model, budget), kAll, budget);
      for (std::size_t i = 0; i < model.domain.size(); ++i) check_level(model, i, levels[i]);
    }
  }
}

TEST_CASE("what is left out shows: the level is within what is known of it") {
  Random random(73);
  Budget budget;
  int open = 0;
  int given_up = 0;
  for (int round = 0; round < effort(300, 10); ++round) {
    CAPTURE(round);
    const Model model = random_tree(random, 2 + below(random, 3), 4, Entries::kRational);
    std::vector<Level> exact;
    for (std::size_t i = 0; i < model.domain.size(); ++i) exact.push_back(naive_bcdp(model, i));
    for (const PruneOptions& keeping : {PruneOptions{0, 0}, PruneOptions{3, 0}, PruneOptions{2048, 0.03}}) {
      std::vector<GroupLevel> levels;
      try {
        levels = network_levels(model, *network_of(model, budget), keeping, budget);
      } catch (const LimitError& error) {
        CHECK(keeping.most == 3);
        ++given_up;
        continue;
      }
      for (std::size_t i = 0; i < model.domain.size(); ++i) {
        const GroupLevel& found = levels[i];
        CHECK(found.at_least <= exact[i]);
        CHECK(exact[i] <= found.at_most());
        CHECK(found.witness.get().p_from == conditional(model, i, found.from, found.witness.get().output));
        CHECK(found.witness.get().p_to == conditional(model, i, found.to, found.witness.get().output));
        open += found.unfinished ? 1 : 0;
      }
    }
  }
  CHECK(open > 0);
  CHECK(given_up > 0);
}

TEST_CASE("what is nearly a combination is left out, and counted") {
  // The rows of the outputs, as functions of the published attribute, are the corners of a nearly circular
  // polygon.
  std::vector<std::vector<Number>> rows(3);
  for (std::int64_t slope = -20; slope <= 20; ++slope) {
    const Number scale = Number(1) / Number(25 + slope * slope);
    rows[0].push_back(Number(2) + Number(25 - slope * slope) * scale);
    rows[1].push_back(Number(2) + Number(10 * slope) * scale);
    rows[2].emplace_back(1);
  }
  for (std::vector<Number>& row : rows) {
    Number sum;
    for (const Number& entry : row) sum += entry;
    for (Number& entry : row) entry /= sum;
  }
  const Domain domain({{"hidden", {"0", "1"}}, {"told", {"0", "1", "2"}}});
  Random random(75);
  Budget budget;
  int missed = 0;
  for (int round = 0; round < 20; ++round) {
    CAPTURE(round);
    std::vector<std::vector<Number>> table;
    for (int value = 0; value < 2; ++value) table.push_back(random_distribution(random, 3, Entries::kRational));
    const Model model{
        domain, std::make_shared<const ProductChannel>(domain, std::vector<Factor>{{channel_of_rows(rows), {1}}}),
        Prior::network(domain, {{0, {}, {{Number::ratio(1, 2), Number::ratio(1, 2)}}}, {1, {0}, std::move(table)}})};
    const GroupLevel found = network_levels(model, *network_of(model, budget), {2048, 0.1}, budget)[0];
    const Level level = naive_bcdp(model, 0);
    CHECK(found.at_least <= level);
    CHECK(level <= found.at_most());
    missed += found.at_least < level ? 1 : 0;
  }
  CHECK(missed > 0);
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
  const std::vector<GroupLevel> levels = search_network(model, *network_of(model, budget), budget, 1e9);
  const Number far = Number(3).pow(1000);
  CHECK(levels[0].at_least == Level::of_exponential(far));
  CHECK(levels[1].at_least == Level::of_exponential((Number::ratio(2, 3) * far + Number::ratio(1, 3)) /
                                                    (Number::ratio(1, 4) * far + Number::ratio(3, 4))));
}

TEST_CASE("a search without time knows at least what single answers show") {
  Random random(74);
  Budget budget;
  const Model model = random_tree(random, 5, 4, Entries::kRational);
  const std::vector<GroupLevel> stopped = search_network(model, *network_of(model, budget), budget, 0);
  const std::vector<GroupLevel> levels = search_network(model, *network_of(model, budget), budget, 1e9);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    CHECK(stopped[i].at_least <= levels[i].at_least);
    CHECK(levels[i].at_least <= stopped[i].at_most());
  }
}

TEST_CASE("where all depend on all, rows are searched") {
  std::vector<Coordinate> coordinates;
  std::vector<NetworkNode> nodes;
  std::vector<Factor> factors;
  const Number often = Number::ratio(3, 4);
  const Number seldom = Number::ratio(1, 4);
  const ChannelPtr once = channel_of_rows({{often, seldom}, {seldom, often}});
  for (std::size_t i = 0; i < 9; ++i) {
    coordinates.push_back({"x" + std::to_string(i), {"0", "1"}});
    NetworkNode& node = nodes.emplace_back(NetworkNode{i, {}, {}});
    for (std::size_t parent = 0; parent < i; ++parent) node.parents.push_back(parent);
    for (std::size_t a = 0; a < std::size_t{1} << i; ++a) {
      node.table.push_back(std::popcount(a) % 2 == 0 ? std::vector<Number>{often, seldom}
                                                     : std::vector<Number>{seldom, often});
    }
    factors.push_back({once, {i}});
  }
  const Domain domain(coordinates);
  const Model model{domain, std::make_shared<const ProductChannel>(domain, std::move(factors)),
                    Prior::network(domain, std::move(nodes))};
  Limits few;
  few.max_cells = 1000;
  Budget budget(few);
  CHECK_FALSE(network_of(model, budget).has_value());
  MeasuredModel subject(model, budget);
  const MeasuredLevel found = measured_bcdp(subject)[0];
  CHECK(found.way == Way::kSearch);
  Budget enough;
  MeasuredModel by_columns(model, enough);
  CHECK(found.at_least == measured_bcdp(by_columns)[0].at_least);
}

TEST_CASE("a chain of twelve has the levels of its columns") {
  const Model model = chain_of(12, 12);
  Budget budget;
  MeasuredModel network(model, budget);
  CHECK(network.can_enumerate());
  MeasuredModel columns(model, budget);
  const std::vector<GroupLevel> expected =
      columns.answer(between_values(model.domain, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  for (std::size_t i = 0; i < 12; ++i) {
    const MeasuredLevel found = measured_bcdp(network)[i];
    CHECK(found.way == Way::kNetwork);
    CHECK_FALSE(found.unfinished);
    CHECK(found.at_least == expected[i].at_least);
  }
}

TEST_CASE("networks that may be enumerated: levels are those of the columns") {
  Random random(76);
  Budget budget;
  int along = 0;
  for (int round = 0; round < effort(20, 6); ++round) {
    CAPTURE(round);
    const Model model = round == 0 ? chain_of(9, 9) : random_tree(random, 7, 3, Entries::kRational);
    std::vector<std::size_t> all(model.domain.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    MeasuredModel subject(model, budget);
    MeasuredModel columns(model, budget);
    const std::vector<GroupLevel> levels = levels_between_values(subject, all, 1e9);
    const std::vector<GroupLevel> expected = columns.answer(between_values(model.domain, all));
    for (const std::size_t i : all) {
      CHECK_FALSE(levels[i].unfinished);
      CHECK(levels[i].at_least == expected[i].at_least);
      const FoundOutput found = levels[i].witness.get();
      CHECK(found.p_from == conditional(model, i, levels[i].from, found.output));
      CHECK(found.p_to == conditional(model, i, levels[i].to, found.output));
      along += levels[i].way == Way::kNetwork ? 1 : 0;
    }
  }
  CHECK(along > 0);
}

TEST_CASE("a network without time for it is enumerated") {
  const Model model = chain_of(9, 9);
  Budget budget;
  MeasuredModel subject(model, budget);
  const GroupLevel found = levels_between_values(subject, {4}, 0)[0];
  CHECK_FALSE(found.unfinished);
  CHECK(found.at_least == search_network(model, *network_of(model, budget), budget, 1e9)[4].at_least);
}

TEST_CASE("of 2^70 inputs all levels are those of the few attributes that are released") {
  const Model large = chain_of(70, 5);
  const Model small = chain_of(5, 5);
  CHECK_FALSE(large.domain.is_countable());
  Budget budget;
  MeasuredModel of_large(large, budget);
  MeasuredModel of_small(small, budget);
  CHECK(ldp_level(of_large).at_least == ldp_level(of_small).at_least);
  CHECK(bdp_level(of_large).at_least == ldp_level(of_small).at_least);
  CHECK(ldp_level(of_large).witness.get().from.size() == 70);
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(bcdp_levels(of_large)[i].at_least == bcdp_levels(of_small)[i].at_least);
    CHECK(cdp_levels(of_large)[i].at_least == cdp_levels(of_small)[i].at_least);
    const MeasuredLevel cdp = measured_cdp(of_large)[i];
    CHECK(level_between(cdp.witness.get().p_from, cdp.witness.get().p_to) == cdp.at_least);
    CHECK(correlation(large.domain, *large.prior, 2, budget) == correlation(small.domain, *small.prior, 2, budget));
  }
  CHECK(cdp_levels(of_large)[69].at_least.is_zero());
  CHECK_THROWS_AS(large.prior->numbered_rows(budget), LimitError);
}
