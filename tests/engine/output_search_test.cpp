// The search over outputs finds the levels of the definition, for any factors, priors and zeros.

#include <doctest/doctest.h>
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <stop_token>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/errors.h"
#include "tests/support/effort.h"
#include "tests/support/random_product.h"
#include "verifier/engine/output_search.h"
#include "verifier/engine/pair_losses.h"
#include "verifier/engine/search_node.h"
#include "verifier/engine/transport_bound.h"
#include "verifier/measures/correlation.h"
#include "verifier/model/model.h"
#include "verifier/model/product_channel.h"
#include "verifier/notions/bcdp.h"
#include "verifier/notions/ldp.h"

using namespace oddsbound;
using namespace oddsbound::testing;

TEST_CASE("the search over outputs finds the level of every coordinate, and an output that shows it") {
  Random random(1501);
  Budget budget;
  const int rounds = effort(2000, 600, 150);
  std::uint64_t infinite = 0;
  for (int round = 0; round < rounds; ++round) {
    const auto& kinds = kinds_of_priors();
    const KindOfPrior& kind = kinds[static_cast<std::size_t>(round) % kinds.size()];
    CAPTURE(round);
    CAPTURE(kind.name);
    const Model model = random_product(random, kind, round % 4 == 0 ? Entries::kWithExp : Entries::kRational);
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      const GroupLevel found = search_outputs(rows_by_value(model, i, budget), budget);
      CHECK(found.at_least == naive_bcdp(model, i));
      CHECK(found.witness.get().p_from == conditional(model, i, found.from, found.witness.get().output));
      CHECK(found.witness.get().p_to == conditional(model, i, found.to, found.witness.get().output));
      CHECK(level_between(found.witness.get().p_from, found.witness.get().p_to) == found.at_least);
      infinite += found.at_least.is_infinite() ? 1 : 0;
    }
  }
  CHECK(infinite > 0);
}

TEST_CASE("twenty binary attributes that say nothing of a twenty-first take no search") {
  std::vector<Coordinate> coordinates;
  for (int i = 0; i < 21; ++i) coordinates.push_back({"x" + std::to_string(i), {"0", "1"}});
  const Domain domain(coordinates);
  std::vector<Factor> parts;
  Random random(3);
  for (std::size_t i = 1; i < domain.size(); ++i) {
    parts.push_back(
        {channel_of_rows({{Number::ratio(3, 4), Number::ratio(1, 4)}, {Number::ratio(1, 4), Number::ratio(3, 4)}}),
         {i}});
  }
  // The same rows in the same proportions for both values of the first coordinate.
  std::vector<WeightedRow> rows;
  for (int r = 0; r < 40; ++r) {
    InputRow row(domain.size());
    for (std::uint32_t& value : row) value = static_cast<std::uint32_t>(below(random, 2));
    const auto weight = static_cast<std::int64_t>(1 + below(random, 9));
    row[0] = 0;
    rows.push_back({row, Number(weight)});
    row[0] = 1;
    rows.push_back({row, Number(3 * weight)});
  }
  Budget budget;
  const Model model{domain, std::make_shared<const ProductChannel>(domain, std::move(parts)),
                    Prior::from_rows(domain, std::move(rows), budget)};
  const GroupLevel found = search_outputs(rows_by_value(model, 0, budget), budget);
  CHECK(found.at_least.is_zero());
  CHECK(found.nodes == 0);
}

TEST_CASE("of a thousand answers of one attribute two outputs count, and beyond the range of doubles they are exact") {
  const Domain domain({{"told", {"0", "1"}}, {"hidden", {"0", "1"}}});
  const ChannelPtr once =
      channel_of_rows({{Number::ratio(3, 4), Number::ratio(1, 4)}, {Number::ratio(1, 4), Number::ratio(3, 4)}});
  Budget budget;
  const Model model{domain, std::make_shared<const ProductChannel>(domain, std::vector<Factor>(1000, {once, {0}})),
                    Prior::from_weights(domain, {Number(3), Number(1), Number(1), Number(2)}, budget)};
  const ProjectedRows seen = rows_by_value(model, 0, budget);
  CHECK(seen.factors.size() == 1);
  REQUIRE(seen.factors[0].outputs.size() == 2);  // all answers 0, or all answers 1
  CHECK(seen.factors[0].outputs[0] == std::vector<std::uint64_t>(1000, 0));
  CHECK(seen.factors[0].outputs[1] == std::vector<std::uint64_t>(1000, 1));
  CHECK(seen.factors[0].scale(1) * seen.factors[0].entries[1][1] == Number::ratio(3, 4).pow(1000));
  const GroupLevel repeated = search_outputs(seen, budget);
  CHECK(repeated.at_least == Level::of_exponential(Number(3).pow(1000)));
  // All answers are 1: P(told = 1) is 2/3 given hidden = 1, and 1/4 given hidden = 0; otherwise told = 0.
  const GroupLevel hidden = search_outputs(rows_by_value(model, 1, budget), budget);
  const Number far = Number(3).pow(1000);
  CHECK(hidden.at_least == Level::of_exponential((Number::ratio(2, 3) * far + Number::ratio(1, 3)) /
                                                 (Number::ratio(1, 4) * far + Number::ratio(3, 4))));
  CHECK(level_between(hidden.witness.get().p_from, hidden.witness.get().p_to) == hidden.at_least);
}

TEST_CASE("an attribute of three values that is told a thousand times has three outputs that count") {
  const Domain domain({{"told", {"0", "1", "2"}}, {"hidden", {"0", "1"}}});
  const Number p = Number::ratio(1, 2), q = Number::ratio(1, 4);
  const ChannelPtr once = channel_of_rows({{p, q, q}, {q, p, q}, {q, q, p}});
  Budget budget;
  const auto runs = [&](std::size_t count) {
    return Model{
        domain, std::make_shared<const ProductChannel>(domain, std::vector<Factor>(count, {once, {0}})),
        Prior::from_weights(domain, {Number(5), Number(1), Number(1), Number(2), Number(1), Number(3)}, budget)};
  };
  const ProjectedRows seen = rows_by_value(runs(1000), 1, budget);
  REQUIRE(seen.factors.size() == 1);
  CHECK(seen.factors[0].outputs.size() == 3);
  for (const std::size_t count : {1U, 2U, 3U, 5U}) {
    const Model model = runs(count);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(search_outputs(rows_by_value(model, i, budget), budget).at_least == naive_bcdp(model, i));
    }
  }
  // All answers are 0: P(told = 0) is 5/7 given hidden = 0, and 1/6 given hidden = 1.
  const Number far = Number(2).pow(1000);
  CHECK(search_outputs(seen, budget).at_least ==
        Level::of_exponential(Number(6) * (Number(5) * far + Number(2)) / (Number(7) * (far + Number(5)))));
}

TEST_CASE("outputs that are left out never show more than those that stay") {
  Random random(88);
  Budget budget;
  std::size_t dropped = 0;
  for (int round = 0; round < effort(2000, 300); ++round) {
    CAPTURE(round);
    const std::size_t classes = 1 + below(random, 4);
    std::vector<std::vector<Number>> columns;
    for (std::size_t y = 0; y < 1 + below(random, 8); ++y) {
      columns.push_back(random_distribution(random, classes, round % 4 == 0 ? Entries::kWithExp : Entries::kRational));
    }
    const std::vector<std::size_t> needed = needed_outputs(columns, budget);
    dropped += columns.size() - needed.size();
    const std::vector<Number> p = random_distribution(random, classes, Entries::kRational);
    const std::vector<Number> q = random_distribution(random, classes, Entries::kRational);
    const auto level_of = [&](std::size_t y) {
      Number above(0), below_it(0);
      for (std::size_t c = 0; c < classes; ++c) {
        above += p[c] * columns[y][c];
        below_it += q[c] * columns[y][c];
      }
      return above.is_zero() ? std::pair(false, Number(0))
                             : std::pair(below_it.is_zero(), below_it.is_zero() ? Number(0) : above / below_it);
    };
    std::pair<bool, Number> all{false, Number(0)}, kept{false, Number(0)};
    for (std::size_t y = 0; y < columns.size(); ++y) all = std::max(all, level_of(y));
    for (const std::size_t y : needed) kept = std::max(kept, level_of(y));
    CHECK(all == kept);
  }
  CHECK(dropped > 100);
}

TEST_CASE("a row too rare for doubles counts") {
  const Domain domain({{"told", {"0", "1"}}, {"hidden", {"0", "1"}}});
  const ChannelPtr itself = channel_of_rows({{Number(1), Number(0)}, {Number(0), Number(1)}});
  Budget budget;
  const Number rare = Number(1) / Number(10).pow(450);
  const Model model{domain, std::make_shared<const ProductChannel>(domain, std::vector<Factor>(1, {itself, {0}})),
                    Prior::from_weights(domain, {Number(1), Number(1), rare, Number(0)}, budget)};
  // told = 1 is possible with hidden = 0 only.
  const GroupLevel found = search_outputs(rows_by_value(model, 1, budget), budget);
  CHECK(found.at_least.is_infinite());
  CHECK(found.witness.get().output == std::vector<std::uint64_t>{1});
  CHECK(found.witness.get().p_from == rare / (Number(1) + rare));
}

TEST_CASE("what is better by less than doubles tell is found") {
  const Domain domain({{"told", {"0", "1"}}, {"noise", {"0", "1"}}});
  const Number little = Number(1) / Number(10).pow(20);
  const Number p = Number::ratio(3, 10), q = Number::ratio(1, 10);
  const ChannelPtr tells = channel_of_rows({{p, p + little, Number(1) - p - p - little}, {q, q, Number(1) - q - q}});
  const ChannelPtr noise =
      channel_of_rows({{Number::ratio(3, 4), Number::ratio(1, 4)}, {Number::ratio(1, 4), Number::ratio(3, 4)}});
  Budget budget;
  const Model model{domain,
                    std::make_shared<const ProductChannel>(domain, std::vector<Factor>{{tells, {0}}, {noise, {1}}}),
                    Prior::from_weights(domain, {Number(1), Number(2), Number(1), Number(2)}, budget)};
  const GroupLevel found = search_outputs(rows_by_value(model, 0, budget), budget);
  CHECK(found.at_least == Level::of_exponential((p + little) / q));
  CHECK(found.witness.get().output[0] == 1);
}

TEST_CASE("a coordinate of one value has level 0, and an output that may come") {
  const Domain domain({{"told", {"0", "1"}}, {"single", {"only"}}});
  const ChannelPtr once =
      channel_of_rows({{Number(0), Number::ratio(1, 4), Number::ratio(3, 4)},
                       {Number(1) / Number(10).pow(5), Number(0), Number(1) - Number(1) / Number(10).pow(5)}});
  Budget budget;
  const Model model{domain, std::make_shared<const ProductChannel>(domain, std::vector<Factor>(200, {once, {0}})),
                    Prior::from_weights(domain, {Number(3), Number(1)}, budget)};
  const GroupLevel found = search_outputs(rows_by_value(model, 1, budget), budget);
  CHECK(found.at_least.is_zero());
  CHECK(found.witness.get().p_from == found.witness.get().p_to);
  CHECK(found.witness.get().p_from > Number(0));
}

TEST_CASE("where not all inputs may be held, levels and correlations by rows are those of the definitions") {
  Random random(1502);
  const int wanted = effort(75, 12);
  int searched = 0;
  for (int round = 0; round < 20 * wanted && searched < wanted; ++round) {
    CAPTURE(round);
    const auto& kinds = kinds_of_priors();
    const Model model =
        random_product(random, kinds[static_cast<std::size_t>(round) % kinds.size()], Entries::kRational);
    std::vector<Level> bcdp;
    std::vector<Number> correlations;
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      bcdp.push_back(naive_bcdp(model, i));
      correlations.push_back(naive_correlation(model, i));
    }
    const Level bdp = naive_bdp(model);
    Limits fewer;
    fewer.max_inputs = model.domain.inputs() - 1;
    Budget budget(fewer);
    MeasuredModel subject(model, budget);
    try {
      const std::vector<GroupLevel> levels = bcdp_levels(subject);
      const Level found = bdp_level(subject).at_least;
      CHECK(found == bdp);
      for (std::size_t i = 0; i < levels.size(); ++i) {
        CHECK(levels[i].at_least == bcdp[i]);
        const Number distance = correlation(model.domain, *model.prior, i, budget);
        CHECK(distance == correlations[i]);
      }
      ++searched;
    } catch (const LimitError& error) {
      // A factor that sees all coordinates has that many inputs, and some mixtures are enumerated.
      CHECK(std::string(error.what()).find("--max-inputs") != std::string::npos);
    }
  }
  CHECK(searched == wanted);
}

TEST_CASE("a search that is stopped leaves an output below the level and a bound above it") {
  Random random(5);
  Budget unlimited;
  int open = 0;
  int bounded = 0;
  const int rounds = effort(600, 60);
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const auto& kinds = kinds_of_priors();
    const Model model = random_product(random, kinds[static_cast<std::size_t>(round) % kinds.size()],
                                       round % 4 == 0 ? Entries::kWithExp : Entries::kRational);
    const ProjectedRows seen = rows_by_value(model, 0, unlimited);
    const Level level = naive_bcdp(model, 0);
    for (const double seconds : {0.0, 1e-5, 1e-4}) {
      const GroupLevel found = search_outputs(seen, unlimited, {seconds});
      CHECK(found.witness.get().p_from == conditional(model, 0, found.from, found.witness.get().output));
      CHECK(found.witness.get().p_to == conditional(model, 0, found.to, found.witness.get().output));
      CHECK(found.at_least == level_between(found.witness.get().p_from, found.witness.get().p_to));
      if (found.transport_bound) CHECK(level <= *found.transport_bound);
      bounded += found.transport_bound ? 1 : 0;
      if (found.unfinished) {
        ++open;
        CHECK(found.at_least <= level);
        CHECK(level <= found.unfinished->at_most);
        CHECK(found.unfinished->reason.find("--max-seconds") != std::string::npos);
      } else {
        CHECK(found.at_least == level);
      }
    }
  }
  CHECK(open > rounds / 4);
  CHECK(bounded > rounds / 4);
}

TEST_CASE("by hand: the bound that a search begins with") {
  // The secret is answered by randomized response at log(3): the single rows of the two sides lose log(3) to each
  // other, and no mass can be moved.
  const Domain domain({{"secret", {"0", "1"}}, {"says", {"0", "1"}}});
  const ChannelPtr once =
      channel_of_rows({{Number::ratio(3, 4), Number::ratio(1, 4)}, {Number::ratio(1, 4), Number::ratio(3, 4)}});
  Budget budget;
  const Model model{domain, std::make_shared<const ProductChannel>(domain, std::vector<Factor>{{once, {1}}}),
                    Prior::from_weights(domain, {Number(1), Number(0), Number(0), Number(1)}, budget)};
  const GroupLevel certain = search_outputs(rows_by_value(model, 0, budget), budget);
  REQUIRE(certain.transport_bound);
  CHECK(certain.transport_bound->approx() == doctest::Approx(std::log(3)));
  // With a quarter of each side answering for the other value: u = (3/4, 1/4), v = (1/4, 3/4). The credit is c =
  // 1/3, and w = 3/4 - 1/12 over R = 1/4 + 3/4/3 leaves 4/3: in total 5/3, which is also the level (9 + 1)/(3 +
  // 3).
  const Model likely{model.domain, model.channel,
                     Prior::from_weights(domain, {Number(3), Number(1), Number(1), Number(3)}, budget)};
  const GroupLevel found = search_outputs(rows_by_value(likely, 0, budget), budget);
  CHECK(found.at_least == Level::of_exponential(Number::ratio(5, 3)));
  REQUIRE(found.transport_bound);
  CHECK(found.transport_bound->approx() == doctest::Approx(std::log(5.0 / 3)));
}

TEST_CASE("a stop leaves what is known, also before anything was searched, and progress is reported") {
  Random random(11);
  Budget budget;
  std::stop_source stop;
  stop.request_stop();
  int open = 0;
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    const Model model = random_product(random, kinds_of_priors()[0], Entries::kRational);
    const ProjectedRows seen = rows_by_value(model, 0, budget);
    const GroupLevel found = search_outputs(seen, budget, {1e8, stop.get_token()});
    CHECK(found.witness.get().p_from == conditional(model, 0, found.from, found.witness.get().output));
    CHECK(found.nodes == 0);
    if (!found.unfinished) continue;
    ++open;
    CHECK(found.unfinished->reason == "the work was stopped");
    int reports = 0;
    const GroupLevel whole = search_outputs(seen, budget, {1e8, {}, [&](double least, double most, std::uint64_t) {
                                                             ++reports;
                                                             CHECK(least <= most);
                                                           }});
    CHECK(reports > 0);
    CHECK(!whole.unfinished);
    CHECK(found.at_least <= whole.at_least);
    CHECK(whole.at_least <= found.unfinished->at_most);
  }
  CHECK(open > 10);
}

TEST_CASE("bounds are the same whether rows of the kernel are kept or made") {
  Random random(7);
  Budget budget;
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    const Model model = random_product(random, kinds_of_priors()[0], Entries::kRational);
    const ProjectedRows seen = rows_by_value(model, 0, budget);
    std::vector<std::size_t> order(seen.factors.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const Suffixes suffixes(seen, order, budget);
    LossKernel kept(suffixes, 1 << 20, budget);
    LossKernel made(suffixes, 0, budget);
    for (std::size_t depth = 0; depth <= suffixes.depths(); ++depth) {
      const std::size_t size = suffixes.layer(depth).size;
      for (std::uint32_t r = 0; r < size; ++r) {
        for (std::size_t s = 0; s < size; ++s) {
          CHECK(made.row(depth, r)[s] == doctest::Approx(kept.row(depth, r)[s]).epsilon(1e-12));
        }
      }
    }
  }
}

TEST_CASE("what bounds the ratios below a node is not below any of them") {
  Random random(11);
  Budget budget;
  const auto look = [] {};
  int refined = 0;
  for (int round = 0; round < effort(300, 60); ++round) {
    CAPTURE(round);
    const auto& kinds = kinds_of_priors();
    const Model model = random_product(random, kinds[static_cast<std::size_t>(round) % kinds.size()],
                                       round % 3 == 0 ? Entries::kWithExp : Entries::kRational);
    const ProjectedRows seen = rows_by_value(model, 0, budget);
    const Suffixes suffixes(seen, by_information(seen), budget);
    LossKernel kernel(suffixes, 1 << 20, budget);
    const Node root = root_node(seen, suffixes);
    const GroupWeights reach = reaches(kernel, 0, root.weights, look);
    for (const Pair& pair : root.pairs) {
      double most = 0;
      for (std::uint64_t y = 0; y < model.channel->outputs(); ++y) {
        const std::vector<std::uint64_t> output = model.channel->split(y);
        const double p_from = conditional(model, 0, pair.from, output).approx();
        const double p_to = conditional(model, 0, pair.to, output).approx();
        if (p_from > 0) most = std::max(most, p_from / p_to);
      }
      const std::vector<double>&u = root.weights[pair.from], &v = root.weights[pair.to];
      const double first = transport_bound(u, v, reach[pair.to], suffixes.error());
      CHECK(first >= most * (1 - 1e-14));
      for (const int rounds : {1, 2, 5, 40}) {
        for (const std::size_t gathered : {std::size_t{0}, std::size_t{1000}}) {
          const Refining refining{0, rounds, 0, false, gathered};
          const double better = refined_bound(kernel, 0, u, v, suffixes.error(), refining, look).ratio;
          CHECK(better >= most * (1 - 1e-14));
          if (better < first) ++refined;
        }
      }
    }
  }
  CHECK(refined > 100);
}

TEST_CASE("a ratio is below the level above it, by little") {
  for (const double ratio : {1.0, 1.0000001, 3.0, 959.12, 1e100, 1e300}) {
    CAPTURE(ratio);
    const Level above = level_above(ratio);
    CHECK(above.approx() >= std::log(ratio));
    CHECK(above.approx() <= std::log(ratio) + 3e-6);
  }
  CHECK(level_above(kInfinity).is_infinite());
}
