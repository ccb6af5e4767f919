// Levels of pairs of inputs: hand-computed comparisons with irrational levels, and claims against their definition.
#include <doctest/doctest.h>

#include "tests/support/random_model.h"
#include "verifier/exact/scaled_level.h"
#include "verifier/model/pair_levels.h"
#include "verifier/notions/context.h"
#include "verifier/notions/table.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

ScaledLevel scaled(const char* unit, const char* square) {
  return ScaledLevel::of(parse_level(unit), parse_number(square));
}

std::strong_ordering order_of_loss(const char* high, const char* low, const ScaledLevel& level) {
  const auto order = compare_loss(parse_number(high), parse_number(low), level);
  REQUIRE(order);
  return *order;
}

PairLevels by_distance(const Domain& domain, Metric metric, std::vector<std::size_t> of, const char* unit) {
  Distance distance{metric, std::move(of), {}};
  for (const std::size_t i : distance.of) {
    auto& own = distance.numbers.emplace_back();
    // 0, 1, 3, 6, ...: next to each other, but not evenly spaced
    for (std::uint64_t v = 0; v < domain.values(i); ++v)
      own.push_back(Number(static_cast<std::int64_t>(v * (v + 1) / 2)));
  }
  return {domain, PairLevels::ByDistance{std::move(distance), parse_level(unit)}, "{}"};
}

Decision decide_pairs(const Model& model, PairLevels levels) {
  Budget budget;
  MeasuredModel subject(model, budget);
  Arguments arguments;
  arguments.set("epsilon", std::make_shared<const PairLevels>(std::move(levels)));
  return find_notion("context_ldp")->decide(subject, arguments);
}

struct ByDefinition {
  bool holds = true, attained = false;
};

ByDefinition by_definition(const Model& model, const PairLevels& levels) {
  ByDefinition found;
  for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
    for (std::uint64_t z = 0; z < model.domain.inputs(); ++z) {
      if (x == z) continue;
      const ScaledLevel level = levels.at(x, z);
      if (level.is_infinite()) continue;
      for (std::uint64_t y = 0; y < model.channel->outputs(); ++y) {
        const Number p = model.channel->entry(x, y), q = model.channel->entry(z, y);
        if (p.is_zero()) continue;
        if (q.is_zero()) {
          found.holds = false;
          continue;
        }
        const auto order = compare_loss(p, q, level);
        REQUIRE(order);
        found.holds = found.holds && *order <= 0;
        found.attained = found.attained || (*order == 0 && !level.is_zero());
      }
    }
  }
  return found;
}

}  // namespace

TEST_CASE("a level times a distance is a level where its exponential is a number") {
  CHECK(*scaled("1", "4").level() == parse_level("2"));
  CHECK(*scaled("1", "9/4").level() == parse_level("3/2"));
  CHECK(*scaled("log(2)", "9").level() == parse_level("log(8)"));
  CHECK(*scaled("log(8)", "4/9").level() == parse_level("log(4)"));
  CHECK(*scaled("1/2 + log(3)", "4").level() == parse_level("1 + log(9)"));
  CHECK(scaled("1", "0").is_zero());
  CHECK(scaled("0", "2").is_zero());
  CHECK(scaled("inf", "2").is_infinite());
  CHECK(scaled("inf", "0").is_zero());
  CHECK(scaled("1", "2").level() == nullptr);
  CHECK(scaled("log(2)", "1/4").level() == nullptr);  // log(sqrt(2))
}

TEST_CASE("levels with roots are written, and read back") {
  CHECK(scaled("1", "2").to_string() == "sqrt(2)");
  CHECK(scaled("2", "5").to_string() == "2*sqrt(5)");
  CHECK(scaled("1/3", "8").to_string() == ScaledLevel::parse("sqrt(8)/3").to_string());
  CHECK(scaled("log(2)", "5").to_string() == "sqrt(5) * log(2)");
  CHECK(scaled("1/2 + log(2)", "5").to_string() == "sqrt(5) * (1/2 + log(2))");
  for (const char* unit : {"1", "2/3", "log(2)", "1/2 + log(2)", "log(1 + exp(1))"}) {
    for (const char* square : {"2", "5/3", "8", "9", "1/4"}) {
      const ScaledLevel level = scaled(unit, square);
      CHECK(ScaledLevel::parse(level.to_string()) == level);
    }
  }
  CHECK_THROWS_AS(ScaledLevel::parse("-sqrt(2)"), std::runtime_error);
  CHECK_THROWS_AS(ScaledLevel::parse("1 + sqrt(2)"), std::runtime_error);
}

TEST_CASE("losses are compared with irrational levels") {
  // log(4.1) = 1.41099, sqrt(2) = 1.41421, log(4.2) = 1.43508
  CHECK(order_of_loss("41/10", "1", scaled("1", "2")) < 0);
  CHECK(order_of_loss("42/10", "1", scaled("1", "2")) > 0);
  // 2^sqrt(2) = 2.6651441426902251886502972498731398...
  CHECK(order_of_loss("26651441426902251886502972498731398/10^34", "1", scaled("log(2)", "2")) < 0);
  CHECK(order_of_loss("26651441426902251886502972498731399/10^34", "1", scaled("log(2)", "2")) > 0);
  CHECK(order_of_loss("exp(7)", "exp(5)", scaled("1", "5")) < 0);  // 2 < sqrt(5)
  CHECK(order_of_loss("1", "1", scaled("1", "2")) < 0);
}

TEST_CASE("losses are equal to rational powers of levels") {
  // 1/2 * log((1 + e)^2) = log(1 + e), which is not recognized as a root
  const ScaledLevel half = ScaledLevel::of(Level::of_exponential(parse_number("(1 + exp(1))^2")), parse_number("1/4"));
  CHECK(half.level() == nullptr);
  CHECK(order_of_loss("1 + exp(1)", "1", half) == 0);
  CHECK(order_of_loss("1 + exp(1) + 1/10^50", "1", half) > 0);
  CHECK(order_of_loss("2*exp(3)", "2*exp(1)", scaled("1", "4")) == 0);
}

TEST_CASE("a claim with levels by distance holds exactly when every pair does") {
  Random random(81);
  int held = 0;
  for (int round = 0; round < 150; ++round) {
    const Model model = random_model(random, round % 3 == 0 ? Entries::kWithExp : Entries::kRational);
    if (model.domain.inputs() > 12) continue;
    std::vector<std::size_t> of;
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      if (below(random, 3) != 0) of.push_back(i);
    }
    if (of.empty()) of.push_back(0);
    const Metric metrics[] = {Metric::kHamming, Metric::kL1, Metric::kL2, Metric::kLinf};
    const Metric metric = metrics[below(random, 4)];
    for (const char* unit : {"0", "1/2", "log(2)", "log(3)", "2", "3"}) {
      const PairLevels levels = by_distance(model.domain, metric, of, unit);
      const ByDefinition expected = by_definition(model, levels);
      const Decision found = decide_pairs(model, levels);
      CHECK(found.holds == answer_of(expected.holds));
      CHECK(found.witness.has_value() == !expected.holds);
      if (expected.holds) CHECK(found.tight == answer_of(expected.attained || levels.are_zero()));
      held += expected.holds ? 1 : 0;
    }
  }
  CHECK(held > 20);
}

TEST_CASE("a claim with the smaller of two inputs' levels holds exactly when every pair does") {
  Random random(82);
  for (int round = 0; round < 100; ++round) {
    const Model model = random_model(random, round % 3 == 0 ? Entries::kWithExp : Entries::kRational);
    if (model.domain.inputs() > 12) continue;
    PairLevels::LeastOf least;
    const char* texts[] = {"0", "log(2)", "log(3)", "1/2", "inf", "2", "3"};
    for (std::uint64_t x = 0; x < model.domain.inputs(); ++x)
      least.levels.push_back(parse_level(texts[below(random, 7)]));
    const PairLevels levels(model.domain, least, "{}");
    const ByDefinition expected = by_definition(model, levels);
    const Decision found = decide_pairs(model, levels);
    CHECK(found.holds == answer_of(expected.holds));
    if (expected.holds) CHECK(found.tight == answer_of(expected.attained || levels.are_zero()));
  }
}

TEST_CASE("steps between values next to each other are enough on a line") {
  const Domain domain({{"a", {std::vector<std::string>{"3", "1", "0"}}}, {"b", {std::vector<std::string>{"0", "1"}}}});
  Distance distance{Metric::kL1, {0, 1}, {{Number(3), Number(1), Number(0)}, {Number(0), Number(1)}}};
  const PairLevels levels(domain, PairLevels::ByDistance{distance, parse_level("log(2)")}, "{}");
  Budget budget;
  const BoundedPairs pairs = sufficient_pairs(levels, budget);
  CHECK(pairs.pairs.size() == 2 * (2 * 2 + 3));  // in both directions: two steps of a for each b, one of b for each a
  REQUIRE(pairs.bounds.size() == 2);
  CHECK(*levels.at(0, 5).level() == parse_level("4*log(2)"));  // (3, 0) and (0, 1)
  CHECK_FALSE(levels.has_roots());
}

TEST_CASE("a level per changed coordinate is partial_dp with this level for each, and ldp with one coordinate") {
  Random random(83);
  for (int round = 0; round < 80; ++round) {
    const Model model = random_model(random, round % 3 == 0 ? Entries::kWithExp : Entries::kRational);
    const std::vector<std::size_t> all = every_coordinate(model.domain);
    for (const char* unit : {"0", "log(2)", "1", "2", "3"}) {
      const Decision found = decide_pairs(model, by_distance(model.domain, Metric::kHamming, all, unit));
      Budget budget;
      MeasuredModel subject(model, budget);
      Arguments partial;
      partial.set("epsilon", CoordinateLevels(model.domain.size(), parse_level(unit)));
      CHECK(found.holds == find_notion("partial_dp")->decide(subject, partial).holds);
      if (model.domain.size() > 1) continue;
      Arguments ldp;
      ldp.set("epsilon", parse_level(unit));
      const Decision one = find_notion("ldp")->decide(subject, ldp);
      CHECK(found.holds == one.holds);
      CHECK(found.tight == one.tight);
    }
  }
}
