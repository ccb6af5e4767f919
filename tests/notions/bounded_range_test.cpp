// Bounded range: ranges computed by hand, products by their parts, and all of it against plain loops over pairs of
// outputs.
#include "verifier/notions/bounded_range.h"

#include <doctest/doctest.h>

#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "verifier/exact/expression.h"
#include "verifier/model/product_channel.h"
#include "verifier/notions/delta_by_parts.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

MeasuredLevel range_level(const Model& model, const std::string& neighbors = "") {
  Budget budget;
  MeasuredModel subject(model, budget);
  Arguments arguments;
  arguments.set("epsilon", Level::infinite());
  if (!neighbors.empty()) arguments.set("neighbors", neighbors);
  return std::get<MeasuredLevel>(bounded_range_notion().decide(subject, arguments).actual);
}

Level range_text(const std::string& text) { return as_level(evaluate_expression(text)); }

// The largest P(y) Q(w) / (Q(y) P(w)) of all neighbors and pairs of outputs.
Level plain_range(const Model& model, bool by_coordinate) {
  const auto rows = rows_of(*model.channel);
  Level widest;
  for (std::uint64_t x = 0; x < rows.size(); ++x) {
    for (std::uint64_t z = 0; z < rows.size(); ++z) {
      if (by_coordinate && differing(model.domain, x, z) > 1) continue;
      for (std::size_t y = 0; y < rows[x].size(); ++y) {
        for (std::size_t w = 0; w < rows[x].size(); ++w) {
          const Number above = rows[x][y] * rows[z][w], below = rows[z][y] * rows[x][w];
          if (above.is_zero()) continue;
          if (below.is_zero()) return Level::infinite();
          if (above > below) widest = std::max(widest, Level::of_exponential(above / below));
        }
      }
    }
  }
  return widest;
}

}  // namespace

TEST_CASE("ranges that are computed by hand") {
  const Number quarter = Number::ratio(1, 4), half = Number::ratio(1, 2);
  const Model both{domain_of_sizes({2}), channel_of_rows({{half, quarter, quarter}, {quarter, quarter, half}}), {}};
  const MeasuredLevel found = range_level(both);
  CHECK(found.at_least == range_text("log(4)"));
  CHECK(found.witness.get().lowest->p_to == half);
  // All losses are above log(2/3): the range is narrower than twice the level.
  const Model one_sided{domain_of_sizes({2}), channel_of_rows({{half, half}, {quarter, Number::ratio(3, 4)}}), {}};
  CHECK(range_level(one_sided).at_least == range_text("log(3)"));
  const Model never{domain_of_sizes({2}), channel_of_rows({{Number(1), Number(0)}, {half, half}}), {}};
  CHECK(range_level(never).at_least.is_infinite());
  const Model alike{domain_of_sizes({2}), channel_of_rows({{half, half}, {half, half}}), {}};
  CHECK(range_level(alike).at_least == Level());
}

TEST_CASE("ranges are those of plain loops, and add over independent parts") {
  Random random(7112);
  int infinite = 0;
  for (int round = 0; round < effort(300, 60); ++round) {
    CAPTURE(round);
    const Model model = random_model(random, Entries::kRational);
    for (const bool by_coordinate : {false, true}) {
      const MeasuredLevel found = range_level(model, by_coordinate ? "coordinate" : "");
      CHECK(found.at_least == plain_range(model, by_coordinate));
      CHECK(!found.unfinished);
      infinite += found.at_least.is_infinite() ? 1 : 0;
    }
  }
  CHECK(infinite > 0);
  for (int round = 0; round < effort(40, 10); ++round) {
    CAPTURE(round);
    const Domain domain = domain_of_sizes({2, 3});
    const ChannelPtr first = random_possible_outputs(random, 2), second = random_possible_outputs(random, 3);
    std::vector<Factor> factors;
    for (int run = 0; run < 5; ++run) {
      factors.push_back({first, {0}});
      factors.push_back({second, {1}});
    }
    const Model product{domain, std::make_shared<ProductChannel>(domain, factors), {}};
    REQUIRE(has_losses_by_parts(*product.channel));
    const Level one = plain_range({domain_of_sizes({2}), first, {}}, false);
    const Level other = plain_range({domain_of_sizes({3}), second, {}}, false);
    CHECK(range_level(product).at_least == one.times(5) + other.times(5));
    CHECK(range_level(product, "coordinate").at_least == std::max(one.times(5), other.times(5)));
    const Witness witness = range_level(product).witness.get();
    CHECK(witness.p_from * witness.lowest->p_to / (witness.p_to * witness.lowest->p_from) ==
          (one.times(5) + other.times(5)).exponential());
  }
}
