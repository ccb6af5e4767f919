// The probability of outputs with a large lift: computed by hand, plain loops over random models, products by classes
// of outputs, and how it relates to the level.
#include "verifier/notions/lift_tail.h"

#include <doctest/doctest.h>

#include "base/errors.h"
#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "tests/support/random_product.h"
#include "verifier/exact/expression.h"
#include "verifier/model/product_channel.h"
#include "verifier/notions/lift.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

Level lift_level(const std::string& text) { return as_level(evaluate_expression(text)); }

// coordinate: nullopt for whole inputs.
MeasuredNumber lift_tail_of(const Model& model, const Level& epsilon, std::optional<std::size_t> coordinate = {},
                            const Limits& limits = {}) {
  Budget budget(limits);
  MeasuredModel subject(model, budget);
  Arguments arguments;
  arguments.set("epsilon", epsilon);
  arguments.set("delta", Number(0));
  if (coordinate) arguments.set("coordinate", Coordinates{{*coordinate}});
  return std::get<MeasuredNumber>(pointwise_maximal_leakage_notion().decide(subject, arguments).actual);
}

Level largest_lift_of(const Model& model, std::optional<std::size_t> coordinate = {}) {
  Budget budget;
  MeasuredModel subject(model, budget);
  Arguments arguments;
  arguments.set("epsilon", Level::infinite());
  if (coordinate) arguments.set("coordinate", Coordinates{{*coordinate}});
  return single_level(pointwise_maximal_leakage_notion().decide(subject, arguments).actual)->at_least;
}

Number plain_lift_tail(const Model& model, const Number& factor, std::optional<std::size_t> coordinate) {
  const auto rows = rows_of(*model.channel);
  const std::size_t groups = coordinate ? model.domain.values(*coordinate) : rows.size();
  Number tail(0);
  for (std::size_t y = 0; y < rows[0].size(); ++y) {
    std::vector<Number> joint(groups), mass(groups);
    Number everyone(0);
    for (std::uint64_t x = 0; x < rows.size(); ++x) {
      const std::size_t group = coordinate ? model.domain.digit(x, *coordinate) : x;
      joint[group] += model.prior->probability(x) * rows[x][y];
      mass[group] += model.prior->probability(x);
      everyone += model.prior->probability(x) * rows[x][y];
    }
    bool large = false;
    for (std::size_t g = 0; g < groups; ++g) {
      if (!mass[g].is_zero() && joint[g] / mass[g] > factor * everyone) large = true;
    }
    if (large) tail += everyone;
  }
  return tail;
}

Model with_weights(const Domain& domain, ChannelPtr channel, const std::vector<Number>& weights) {
  Budget budget;
  return {domain, std::move(channel), Prior::from_weights(domain, weights, budget)};
}

ChannelPtr answers_kept_with(const Number& keep) {
  return channel_of_rows({{keep, Number(1) - keep}, {Number(1) - keep, keep}});
}

Limits few_cells() {
  Limits limits;
  limits.max_cells = 8;
  return limits;
}

}  // namespace

TEST_CASE("tails of lifts that are computed by hand") {
  // 3-randomized response, 3/5 and 1/5. P(y) is 12/25, 7/25 and 6/25; the lifts are 5/4, 15/7 and 5/2.
  const Number keep = Number::ratio(3, 5), lie = Number::ratio(1, 5);
  const Model model =
      with_weights(domain_of_sizes({3}), channel_of_rows({{keep, lie, lie}, {lie, keep, lie}, {lie, lie, keep}}),
                   {Number(7), Number(2), Number(1)});
  const auto tail = [&](const std::string& level) { return lift_tail_of(model, lift_level(level)).at_least; };
  CHECK(tail("0") == Number(1));
  CHECK(tail("log(5/4)") == Number::ratio(13, 25));
  CHECK(tail("log(2)") == Number::ratio(13, 25));
  CHECK(tail("log(15/7)") == Number::ratio(6, 25));
  CHECK(tail("log(5/2)").is_zero());
  CHECK(tail("inf").is_zero());
  const Witness witness = lift_tail_of(model, lift_level("log(2)"), 0).witness;
  CHECK(witness.outputs == std::vector<std::string>{"1", "2"});
  CHECK(is_everyone(witness.from));
  CHECK(is_everyone(witness.to));
  CHECK(witness.p_from == Number::ratio(13, 25));
  CHECK(witness.p_from == witness.p_to);
  CHECK(witness.coordinate == model.domain.coordinate(0).name);
  CHECK(lift_tail_of(model, lift_level("log(5/2)")).witness.outputs.empty());
}

TEST_CASE("tails of lifts are those of plain loops, and relate to the level") {
  Random random(8127);
  int positive = 0;
  for (int round = 0; round < effort(300, 60); ++round) {
    CAPTURE(round);
    const Model model = random_model(random, Entries::kRational);
    for (std::optional<std::size_t> about : {std::optional<std::size_t>(), std::optional<std::size_t>(0)}) {
      Number before(1);
      for (const char* level : {"0", "log(6/5)", "1/2", "log(2)", "log(3)"}) {
        const Level epsilon = lift_level(level);
        const MeasuredNumber found = lift_tail_of(model, epsilon, about);
        CHECK(found.at_least == plain_lift_tail(model, epsilon.exponential(), about));
        CHECK(found.at_least <= before);
        CHECK(found.at_least.is_zero() == (largest_lift_of(model, about) <= epsilon));
        // Each value makes at most the part e^-epsilon of the probability.
        const auto values = static_cast<std::int64_t>(about ? model.domain.values(0) : model.domain.inputs());
        CHECK(found.at_least <= Number(values) / epsilon.exponential());
        before = found.at_least;
        positive += found.at_least.is_zero() ? 0 : 1;
      }
      CHECK(lift_tail_of(model, largest_lift_of(model, about), about).at_least.is_zero());
    }
  }
  CHECK(positive > effort(300, 60));
}

TEST_CASE("tails of lifts of products are those of all outputs") {
  Random random(8128);
  int positive = 0, exact = 0;
  for (int round = 0; round < effort(200, 30); ++round) {
    CAPTURE(round);
    const auto kinds = kinds_of_priors();
    const Model model = random_product(random, kinds[below(random, kinds.size())], Entries::kRational);
    for (std::optional<std::size_t> about : {std::optional<std::size_t>(), std::optional<std::size_t>(0)}) {
      for (const char* level : {"0", "log(6/5)", "log(2)"}) {
        const Level epsilon = lift_level(level);
        const Number true_tail = plain_lift_tail(model, epsilon.exponential(), about);
        try {
          const MeasuredNumber found = lift_tail_of(model, epsilon, about, few_cells());
          CHECK(found.at_least <= true_tail);
          CHECK(true_tail <= found.at_most());
          exact += found.unfinished ? 0 : 1;
          positive += found.unfinished || true_tail.is_zero() ? 0 : 1;
        } catch (const LimitError&) {
        }
      }
    }
  }
  CHECK(positive > effort(200, 30));
  CHECK(exact > positive);
}

TEST_CASE("many runs have few classes of outputs") {
  // Each of n answers is kept with probability 3/4, and j of them are 1. The more likely value has the odds
  // R = 3^|2j - n| and the lift 2R / (R + 1), which exceeds 3/2 unless j = n / 2.
  constexpr std::int64_t n = 200;
  const Domain domain = domain_of_sizes({2});
  const ChannelPtr answer = answers_kept_with(Number::ratio(3, 4));
  const Model runs =
      with_weights(domain, std::make_shared<ProductChannel>(domain, std::vector<Factor>(n, Factor{answer, {0}})),
                   {Number(1), Number(1)});
  Number even(1);
  for (std::int64_t j = 1; j <= n / 2; ++j) even *= Number::ratio(n / 2 + j, j) * Number::ratio(3, 16);
  const MeasuredNumber found = lift_tail_of(runs, lift_level("log(3/2)"));
  CHECK(!found.unfinished);
  CHECK(found.at_least == Number(1) - even);
  CHECK(found.witness.likelihood_event);
  CHECK(lift_tail_of(runs, lift_level("log(3/2)"), 0).at_least == Number(1) - even);
}

TEST_CASE("lifts of whole inputs multiply over independent coordinates") {
  // Each of 40 answers has the lift 3/2 of a value that has probability 1/2: together (3/2)^40, always.
  const std::vector<std::size_t> sizes(40, 2);
  const Domain domain = domain_of_sizes(sizes);
  std::vector<Factor> parts;
  std::vector<std::vector<Number>> marginals;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    parts.push_back({answers_kept_with(Number::ratio(3, 4)), {i}});
    marginals.push_back({Number(1), Number(i == 0 ? 3 : 1)});
  }
  const Model model{domain, std::make_shared<ProductChannel>(domain, parts), Prior::product(domain, marginals)};
  // The first value has probability 1/4: P(0) = 3/8 with the lift 2, P(1) = 5/8 with the lift 6/5.
  const std::string rest = "39*log(3/2)";
  CHECK(lift_tail_of(model, lift_level(rest + " + log(6/5)")).at_least == Number::ratio(3, 8));
  CHECK(lift_tail_of(model, lift_level(rest + " + log(2)")).at_least.is_zero());
  CHECK(lift_tail_of(model, lift_level(rest)).at_least.is_one());
  CHECK(lift_tail_of(model, lift_level("log(6/5)"), 0).at_least == Number::ratio(3, 8));
  CHECK(lift_tail_of(model, lift_level("log(3/2)"), 1).at_least.is_zero());
}

TEST_CASE("a tail of too many lifts is between two bounds") {
  // 18 answers with different probabilities have 2^18 ratios.
  const Domain domain = domain_of_sizes({2});
  std::vector<Factor> parts;
  for (std::int64_t k = 0; k < 18; ++k) parts.push_back({answers_kept_with(Number::ratio(101 + 2 * k, 200)), {0}});
  const Model model = with_weights(domain, std::make_shared<ProductChannel>(domain, parts), {Number(1), Number(9)});
  Limits limits;
  limits.max_cells = 1 << 16;
  const MeasuredNumber found = lift_tail_of(model, lift_level("log(2)"), 0, limits);
  REQUIRE(found.unfinished);
  CHECK(found.at_least.sign() > 0);
  CHECK(found.at_most() == Number::ratio(1, 2));  // the value of probability 9/10 is never twice as likely
  CHECK(found.witness.outputs.size() == 1);
  CHECK(lift_tail_of(model, lift_level("log(10)"), 0, limits).at_most().is_zero());
}
