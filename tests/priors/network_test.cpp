// Networks with intervals, against ordinary priors, other kinds of sets, and all of their extreme points.

#include <doctest/doctest.h>
#include <functional>

#include "tests/support/effort.h"
#include "tests/support/random_network.h"
#include "tests/support/random_sets.h"
#include "verifier/priors/multilinear.h"

using namespace oddsbound;
using namespace oddsbound::priors;
using namespace oddsbound::testing;

namespace {

IntervalNode::Row anything(std::size_t values) {
  return {std::vector<Number>(values, Number(0)), std::vector<Number>(values, Number(1))};
}

IntervalNode::Row exactly(const std::vector<Number>& numbers) { return {numbers, numbers}; }

// Maximum level over all choices of one extreme point per row.
Ratio largest_of_extreme_points(const Model& model, const std::vector<IntervalNode>& nodes, std::size_t i) {
  Budget budget;
  const NetworkRows rows(model.domain, nodes, budget);
  std::vector<Point> chosen;
  Ratio largest{Surd(Number(1))};
  const std::function<void()> choose = [&] {
    if (chosen.size() == rows.all().size()) {
      largest = std::max(largest, exponential_of(naive_bcdp(with_prior(model, rows.joint(chosen)), i)));
      return;
    }
    for (const Point& point : *rows.all()[chosen.size()]) {
      chosen.push_back(point);
      choose();
      chosen.pop_back();
    }
  };
  choose();
  return largest;
}

Model model_of_rows(const Domain& domain, const std::vector<std::vector<Number>>& rows) {
  return {domain, channel_of_rows(rows), std::nullopt};
}

}  // namespace

TEST_CASE("A network of which everything is known has the level of the prior that it is") {
  Random random(41);
  for (int round = 0; round < effort(3000, 200, 40); ++round) {
    CAPTURE(round);
    Model model = random_model(random, round % 10 == 0 ? Entries::kWithExp : Entries::kRational);
    const auto nodes = random_intervals(random, model.domain, 0);
    model.prior = Prior::network(model.domain, random_rows_within(random, nodes));
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      const GroupLevel found = level_of(model, *network_within(nodes), i);
      REQUIRE(!found.unfinished);
      REQUIRE(found.at_least == naive_bcdp(model, i));
    }
  }
}

// Section 5 of the theory of sets: x1 is not released, x2 is answered by randomized response at log(3). Both are 1
// with probability 3/4 or 1/4, depending on an unknown cause; given the cause they are independent. Let w be the
// probability of the cause's first value. P(output 1 | x1) is (a + b w) / (c + d w) with numbers a to d, and the
// derivative of the quotient is 0 at w = (sqrt(15) - 3)/2.
TEST_CASE("A cause that nobody knows is worst at a mixture with a square root") {
  const Domain bits({{"cause", {"0", "1"}}, {"x1", {"0", "1"}}, {"x2", {"0", "1"}}});
  const Number much = Number::ratio(3, 4), little = Number::ratio(1, 4);
  std::vector<std::vector<Number>> rows;
  for (std::uint64_t x = 0; x < 8; ++x) {
    rows.push_back(x % 2 == 0 ? std::vector<Number>{much, little} : std::vector<Number>{little, much});
  }
  const IntervalNode cause{0, {}, {anything(2)}};
  const std::vector<IntervalNode::Row> by_cause{exactly({little, much}), exactly({much, little})};
  const GroupLevel found =
      level_of(model_of_rows(bits, rows), *network_within({{1, {0}, by_cause}, cause, {2, {0}, by_cause}}), 1);
  REQUIRE(!found.unfinished);
  CHECK(found.at_least ==
        Level::of_surd((Surd(Number(249)) - Surd(Number(24)) * Surd::root_of(Number(15))) / Surd(Number(121))));
}

TEST_CASE("The level of a coordinate without parents is that of some extreme points") {
  Random random(42);
  int open = 0;
  for (int round = 0; round < effort(2000, 150, 30); ++round) {
    CAPTURE(round);
    const Model model = model_for_sets(random, Entries::kRational);
    const auto nodes = random_intervals(random, model.domain, 5);
    for (const IntervalNode& node : nodes) {
      if (!node.parents.empty()) continue;
      const std::size_t i = node.coordinate;
      const GroupLevel found = level_of(model, *network_within(nodes), i);
      open += found.unfinished ? 1 : 0;
      const Ratio vertices = largest_of_extreme_points(model, nodes, i);
      // Extreme points give a lower bound. They may miss the level if the coordinate's own row has zeros there.
      REQUIRE(vertices <= exponential_of(found.at_least));
      const bool own_is_open = node.rows[0].lower != node.rows[0].upper;
      if (!own_is_open) REQUIRE(exponential_of(found.at_least) == vertices);
    }
  }
  CHECK(open == 0);
}

TEST_CASE("Networks that say nothing are other kinds of sets") {
  Random random(43);
  int finished = 0;
  const int models = effort(300, 40, 10);
  for (int round = 0; round < models; ++round) {
    CAPTURE(round);
    const Model model = model_for_sets(random, Entries::kRational);
    std::vector<IntervalNode> apart, whole;
    std::vector<std::size_t> earlier;
    std::uint64_t rows = 1;
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      apart.push_back({i, {}, {anything(model.domain.values(i))}});
      whole.push_back({i, earlier, std::vector<IntervalNode::Row>(rows, anything(model.domain.values(i)))});
      earlier.push_back(i);
      rows *= model.domain.values(i);
    }
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      REQUIRE(level_of(model, *network_within(apart), i).at_least == level_of(model, *product_priors(), i).at_least);
    }
    if (model.domain.inputs() > 8) continue;
    const std::size_t i = below(random, model.domain.size());
    const GroupLevel found = level_of(model, *network_within(whole), i);
    const Level all = level_of(model, *all_priors(), i).at_least;
    finished += found.unfinished ? 0 : 1;
    if (found.unfinished) {
      REQUIRE(found.at_least <= all);
      REQUIRE(all <= found.unfinished->at_most);
    } else {
      REQUIRE(found.at_least == all);
    }
  }
  CHECK(finished > models / 10);
}

// Two unknown causes, each like the one above: the worst weights are interior and irrational.
TEST_CASE("With several causes that nobody knows the level is known between two bounds") {
  const Domain bits({{"c", {"0", "1"}}, {"d", {"0", "1"}}, {"x1", {"0", "1"}}, {"x2", {"0", "1"}}});
  const auto share = [](std::int64_t twelfths) { return Number::ratio(twelfths, 12); };
  std::vector<std::vector<Number>> rows;
  for (std::uint64_t x = 0; x < 16; ++x) rows.push_back({share(x % 2 == 0 ? 9 : 3), share(x % 2 == 0 ? 3 : 9)});
  const auto row = [&](std::int64_t twelfths) { return exactly({share(twelfths), share(12 - twelfths)}); };
  const IntervalNode c{0, {}, {anything(2)}}, d{1, {}, {anything(2)}};
  const IntervalNode x1{2, {0, 1}, {row(1), row(6), row(8), row(11)}}, x2{3, {0, 1}, {row(2), row(7), row(5), row(11)}};
  const Model model = model_of_rows(bits, rows);
  const GroupLevel found = level_of(model, *network_within({c, d, x1, x2}), 2);
  REQUIRE(found.unfinished);
  CHECK(found.unfinished->at_most.exponential() <=
        found.at_least.exponential_as_surd() * Surd(Number::ratio(100'001, 100'000)));
  Random random(44);
  for (int round = 0; round < effort(3000, 300); ++round) {
    const auto some = [&] { return static_cast<std::int64_t>(below(random, 1001)); };
    const std::vector<Number> of_c{Number::ratio(some(), 1000)}, of_d{Number::ratio(some(), 1000)};
    const auto node = [&](std::size_t i, const std::vector<Number>& first) {
      return NetworkNode{i, {}, {{first[0], Number(1) - first[0]}}};
    };
    const auto table = [](const IntervalNode& known) {
      NetworkNode result{known.coordinate, known.parents, {}};
      for (const IntervalNode::Row& known_row : known.rows) result.table.push_back(known_row.lower);
      return result;
    };
    const auto joint = joint_of(bits, {node(0, of_c), node(1, of_d), table(x1), table(x2)});
    REQUIRE(naive_bcdp(with_prior(model, joint), 2) <= found.unfinished->at_most);
  }
}
