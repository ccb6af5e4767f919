#include "verifier/engine/listed_outputs.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>

#include "mechanisms/k_randomized_response.h"
#include "tests/support/effort.h"
#include "tests/support/random_product.h"
#include "verifier/engine/output_search.h"
#include "verifier/engine/search_node.h"
#include "verifier/model/product_channel.h"

using namespace oddsbound;
using namespace oddsbound::engine;
using namespace oddsbound::testing;

namespace {

Number probability_of(const ProjectedRows& seen, const Suffixes& suffixes, const Path& path, std::uint32_t group) {
  Number sum;
  for (const SeenRow& row : seen.rows) {
    if (row.group != group) continue;
    Number product = row.weight;
    for (std::size_t d = 0; d < path.size(); ++d) {
      const std::size_t f = suffixes.factor(d);
      product *= seen.factors[f].entries[path[d]][row.classes[f]];
    }
    sum += product;
  }
  return sum / seen.masses[group];
}

}  // namespace

TEST_CASE("the best of all outputs is that of the search, and no output has a larger ratio") {
  Random random(77);
  Budget budget;
  int compared = 0;
  for (int round = 0; round < effort(600, 150); ++round) {
    CAPTURE(round);
    const auto& kinds = kinds_of_priors();
    const KindOfPrior& kind = kinds[static_cast<std::size_t>(round) % kinds.size()];
    const Model model = random_product(random, kind, round % 3 == 0 ? Entries::kWithExp : Entries::kRational);
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      ProjectedRows seen = rows_by_value(model, i, budget);
      if (round % 4 == 1) {
        seen.direction.from.assign(seen.masses.size(), true);
        seen.direction.to.assign(seen.masses.size(), false);
        seen.direction.to[0] = true;
      }
      const Suffixes suffixes(seen, by_information(seen), budget);
      const PathWeights exact(seen, suffixes);
      const ListedOutputs list(seen, suffixes, exact, budget);
      const auto best = list.best([] {});
      const GroupLevel searched = search_outputs(seen, budget);
      if (!best) {
        CHECK(searched.at_least == Level());  // no pair of groups
        continue;
      }
      ++compared;
      CHECK(seen.direction.allows(best->from, best->to));
      const Number p = probability_of(seen, suffixes, best->path, best->from);
      const Number q = probability_of(seen, suffixes, best->path, best->to);
      CHECK((q.is_zero() ? Level::infinite() : Level::of_exponential(p / q)) == searched.at_least);
    }
  }
  CHECK(compared > 100);
}

TEST_CASE("two large coordinates that are often equal: exact, without a search") {
  constexpr std::uint32_t kValues = 41;
  Budget budget;
  Coordinate x{"x", {}};
  for (std::uint32_t v = 0; v < kValues; ++v) x.values.push_back(std::to_string(v));
  const Domain one({x}), both({x, {"y", x.values}});
  const ChannelPtr response = mechanisms::k_randomized_response::mechanism(one, parse_level("3")).channel;
  std::vector<Number> weights(both.inputs(), Number::ratio(1, std::int64_t{2} * kValues * kValues));
  for (std::uint64_t v = 0; v < kValues; ++v) weights[v * kValues + v] += Number::ratio(1, std::int64_t{2} * kValues);
  const Model model{both,
                    std::make_shared<const ProductChannel>(both, std::vector<Factor>{{response, {0}}, {response, {1}}}),
                    Prior::from_weights(both, weights, budget)};
  const GroupLevel found = search_outputs(rows_by_value(model, 0, budget), budget);
  CHECK(found.way == Way::kDirect);
  CHECK(!found.unfinished);
  // Both answers are the true value: P(y | x) = t (t + s) / 2 with t = e^3 / (e^3 + 40), s = 1 / 41.
  const Number e = Number::exp_of(Number(3)), all = e + Number(kValues - 1);
  const Number truth = e / all, other = Number(1) / all, any = Number::ratio(1, kValues);
  CHECK(found.at_least == Level::of_exponential(truth * (truth + any) / (other * (other + any))));
}

TEST_CASE("outputs whose ratios are the same double are compared exactly") {
  Budget budget;
  const Domain domain({Coordinate{"x", {"0", "1", "2"}}});
  const Number bit = Number(1) / Number(10).pow(20);
  const auto over_32 = [](std::int64_t numerator) { return Number::ratio(numerator, 32); };
  for (const bool is_larger_first : {true, false}) {
    CAPTURE(is_larger_first);
    // From 0 to 1, the ratios are 2 and 2 + 8 bit. The third output, and other pairs, have smaller ones. No output is a
    // combination of others.
    std::vector<std::vector<Number>> rows{{over_32(8), over_32(8) + bit, over_32(16) - bit},
                                          {over_32(4), over_32(4), over_32(24)},
                                          {over_32(6), over_32(5), over_32(21)}};
    if (is_larger_first) std::ranges::for_each(rows, [](auto& row) { std::swap(row[0], row[1]); });
    PoolBuilder entries, coin;
    for (const auto& row : rows) {
      for (const Number& entry : row) entries.add(entry);
    }
    for (int k = 0; k < 6; ++k) coin.add(over_32(16));
    const ChannelPtr telling = DenseChannel::from_rows(3, numbered_labels(3), std::move(entries), budget);
    const ChannelPtr silent = DenseChannel::from_rows(3, numbered_labels(2), std::move(coin), budget);
    const Model model{
        domain, std::make_shared<const ProductChannel>(domain, std::vector<Factor>{{telling, {0}}, {silent, {0}}}),
        Prior::uniform(domain)};
    const ProjectedRows seen = rows_by_value(model, 0, budget);
    const Suffixes suffixes(seen, by_information(seen), budget);
    const PathWeights exact(seen, suffixes);
    const auto best = ListedOutputs(seen, suffixes, exact, budget).best([] {});
    REQUIRE(best.has_value());
    const Number p = probability_of(seen, suffixes, best->path, best->from);
    const Number q = probability_of(seen, suffixes, best->path, best->to);
    CHECK(p / q == Number(2) + Number(8) * bit);
  }
}
