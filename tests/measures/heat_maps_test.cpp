// Losses and correlations of pairs, against the levels and plain loops.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/random_model.h"
#include "verifier/exact/expression.h"
#include "verifier/measures/heat_maps.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

Level largest_of(const LossMatrix& losses) {
  Level largest;
  for (const auto& row : losses.loss) largest = std::max(largest, *std::max_element(row.begin(), row.end()));
  return largest;
}

// The loss between two inputs, by definition.
Level naive_loss(const Channel& channel, std::uint64_t from, std::uint64_t to) {
  Level largest;
  for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
    const Number p = channel.entry(from, y), q = channel.entry(to, y);
    if (p.is_zero()) continue;
    if (q.is_zero()) return Level::infinite();
    if (p > q) largest = std::max(largest, Level::of_exponential(p / q));
  }
  return largest;
}

}  // namespace

TEST_CASE("the largest of all losses is the level, and each is what the definition says") {
  Random random(7);
  for (int round = 0; round < 60; ++round) {
    const Model model = random_model(random, round % 3 == 0 ? Entries::kWithExp : Entries::kRational);
    Budget budget;
    MeasuredModel subject(model, budget);
    const HeatMaps pairs = measure_heat_maps(subject);
    REQUIRE(pairs.inputs);
    CHECK(largest_of(*pairs.inputs) == naive_ldp(model));
    if (!pairs.inputs->among) {
      const std::uint64_t a = below(random, model.domain.inputs()), b = below(random, model.domain.inputs());
      CHECK(pairs.inputs->loss[a][b] == naive_loss(*model.channel, a, b));
    }
    REQUIRE(pairs.values.size() == model.domain.size());
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      REQUIRE(pairs.values[i]);
      CHECK(largest_of(*pairs.values[i]) == naive_bcdp(model, i));
    }
  }
}

TEST_CASE("rows are who it is likelier from: yes rules no out, but not the other way round") {
  // Mangat: no = (2/3, 1/3), yes = (0, 1). Output "no" is possible from input no only.
  Model model{Domain({{"x", {"no", "yes"}}}),
              channel_of_rows({{Number::ratio(2, 3), Number::ratio(1, 3)}, {Number(0), Number(1)}}), std::nullopt};
  Budget budget;
  MeasuredModel subject(model, budget);
  const HeatMaps pairs = measure_heat_maps(subject);
  REQUIRE(pairs.inputs);
  CHECK(pairs.inputs->loss[0][1].is_infinite());
  CHECK(pairs.inputs->loss[1][0] == parse_level("log(3)"));
  CHECK(pairs.inputs->loss[0][0].is_zero());
  CHECK(pairs.values.empty());
  CHECK(pairs.correlation.empty());
}

TEST_CASE("with two coordinates the correlation of the pair is that with all others") {
  Random random(8);
  for (int round = 0; round < 40; ++round) {
    Model model = random_model(random, Entries::kRational);
    if (model.domain.size() != 2) continue;
    Budget budget;
    MeasuredModel subject(model, budget);
    const HeatMaps pairs = measure_heat_maps(subject);
    CHECK(pairs.correlation[0][1] == naive_correlation(model, 0));
    CHECK(pairs.correlation[1][0] == naive_correlation(model, 1));
    CHECK(pairs.correlation[0][0] == Number(0));
  }
}

TEST_CASE("of many sides those at both ends of the largest losses are shown") {
  Random random(48);
  for (int round = 0; round < 12; ++round) {
    CAPTURE(round);
    const bool equal = round < 3;  // rounds 0-2: only two different rows
    std::vector<Coordinate> wide{{"x", {}}};
    std::vector<std::vector<Number>> rows;
    for (int i = 0; i < 60; ++i) {
      wide[0].values.push_back(std::to_string(i));
      const auto p = equal ? (i < 50 ? 1 : 3) : static_cast<std::int64_t>(1 + below(random, 999));
      rows.push_back({Number::ratio(p, 1000), Number::ratio(1000 - p, 1000)});
    }
    const Domain domain(wide);
    Model model{domain, channel_of_rows(rows), Prior::uniform(domain)};
    Budget budget;
    MeasuredModel subject(model, budget);
    const HeatMaps pairs = measure_heat_maps(subject);
    REQUIRE(pairs.inputs);
    REQUIRE(pairs.values.size() == 1);
    REQUIRE(pairs.values[0]);
    for (const LossMatrix& losses : {*pairs.inputs, *pairs.values[0]}) {
      CHECK(losses.sides.size() == 48);
      CHECK(losses.among == 60);
      CHECK(largest_of(losses) == naive_ldp(model));
    }
    CHECK(!input_losses(subject));
  }
}
