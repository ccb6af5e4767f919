// Renyi divergences under the prior: computed by hand, plain loops over random models, and bounds of large products.
#include <doctest/doctest.h>

#include "base/errors.h"
#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "tests/support/random_product.h"
#include "verifier/exact/expression.h"
#include "verifier/model/product_channel.h"
#include "verifier/notions/renyi.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

Level prior_level(const std::string& text) { return as_level(evaluate_expression(text)); }

Decision decide_under_prior(const Model& model, std::int64_t order, const Level& epsilon, Arguments about,
                            const Limits& limits = {}) {
  Budget budget(limits);
  MeasuredModel subject(model, budget);
  about.set("order", order);
  about.set("epsilon", epsilon);
  REQUIRE(!renyi_bcdp_notion().complaint(model.domain, about));
  return renyi_bcdp_notion().decide(subject, about);
}

Arguments about_coordinate(std::size_t coordinate) {
  Arguments about;
  about.set("coordinate", Coordinates{{coordinate}});
  return about;
}

MeasuredLevel divergence_under_prior(const Model& model, std::int64_t order, const Arguments& about,
                                     const Limits& limits = {}) {
  return std::get<MeasuredLevel>(decide_under_prior(model, order, Level::infinite(), about, limits).actual);
}

// The largest S of two values with mass; nullopt if it is infinite.
std::optional<Number> plain_sum_under_prior(const Model& model, std::int64_t order, std::size_t coordinate) {
  const auto rows = rows_of(*model.channel);
  const std::size_t values = model.domain.values(coordinate);
  std::vector<std::vector<Number>> given(values, std::vector<Number>(rows[0].size()));
  std::vector<Number> mass(values);
  for (std::uint64_t x = 0; x < rows.size(); ++x) {
    const std::size_t value = model.domain.digit(x, coordinate);
    mass[value] += model.prior->probability(x);
    for (std::size_t y = 0; y < rows[x].size(); ++y) given[value][y] += model.prior->probability(x) * rows[x][y];
  }
  Number largest(1);
  for (std::size_t a = 0; a < values; ++a) {
    for (std::size_t b = 0; b < values; ++b) {
      if (a == b || mass[a].is_zero() || mass[b].is_zero()) continue;
      Number sum(0);
      for (std::size_t y = 0; y < rows[0].size(); ++y) {
        const Number p = given[a][y] / mass[a], q = given[b][y] / mass[b];
        if (p.is_zero()) continue;
        if (q.is_zero()) return std::nullopt;
        sum += p.pow(order) * q.pow(1 - order);
      }
      largest = std::max(largest, sum);
    }
  }
  return largest;
}

void check_against(const MeasuredLevel& level, std::int64_t order, const std::optional<Number>& sum) {
  if (!sum) {
    CHECK(level.at_most().is_infinite());
    return;
  }
  CHECK(level.at_least.times(order - 1) <= Level::of_exponential(*sum));
  CHECK(level.at_most().times(order - 1) >= Level::of_exponential(*sum));
  if (!level.unfinished) CHECK(level.at_least.exponential().pow(order - 1) == *sum);
}

ChannelPtr kept_bits(const Number& keep) {
  return channel_of_rows({{keep, Number(1) - keep}, {Number(1) - keep, keep}});
}

// Two bits that are equal with probability 4/5; the channel sees the first one.
Model correlated_bits(ChannelPtr channel) {
  const Domain domain = domain_of_sizes({2, 2});
  Budget budget;
  return {domain, std::make_shared<ProductChannel>(domain, std::vector<Factor>{{std::move(channel), {0}}}),
          Prior::from_weights(domain, {Number(4), Number(1), Number(1), Number(4)}, budget)};
}

}  // namespace

TEST_CASE("divergences under the prior that are computed by hand") {
  const Model model = correlated_bits(kept_bits(Number::ratio(3, 4)));
  // The first bit: S = 7/3. Given the second bit the answer is right with 4/5 3/4 + 1/5 1/4 = 13/20:
  // S = (13/20)^2 / (7/20) + (7/20)^2 / (13/20) = (13^3 + 7^3) / (20 91) = 2540/1820 = 127/91.
  const MeasuredLevel first = divergence_under_prior(model, 2, about_coordinate(0));
  CHECK(first.at_least == prior_level("log(7/3)"));
  const MeasuredLevel second = divergence_under_prior(model, 2, about_coordinate(1));
  CHECK(second.at_least == prior_level("log(127/91)"));
  CHECK(!second.unfinished);
  const Witness witness = second.witness.get();
  CHECK(witness.order == Number(2));
  CHECK(witness.coordinate == model.domain.coordinate(1).name);
  const Decision same = decide_under_prior(model, 2, prior_level("log(127/91)"), about_coordinate(1));
  CHECK(same.holds == Answer::kYes);
  CHECK(same.tight == Answer::kYes);
  CHECK(decide_under_prior(model, 2, prior_level("log(127/91 - 10^-60)"), about_coordinate(1)).holds == Answer::kNo);
  // Knowing the first bit, the second one is not revealed at all.
  Arguments known = about_coordinate(1);
  known.set("known", Coordinates{{0}});
  CHECK(divergence_under_prior(model, 2, known).at_least.is_zero());
  // The secret says if both bits are equal. The answer does not depend on it.
  Arguments secret;
  secret.set("secret", Secret{{Label(std::string("equal")), Label(std::string("unequal"))},
                              Partition::by_label(model.domain, {0, 1, 1, 0}, 2)});
  CHECK(divergence_under_prior(model, 3, secret).at_least.is_zero());
  // An answer that reveals the first bit.
  const MeasuredLevel infinite = divergence_under_prior(correlated_bits(kept_bits(Number(1))), 2, about_coordinate(0));
  CHECK(infinite.at_least.is_infinite());
  CHECK(infinite.witness.get().p_to.is_zero());
}

TEST_CASE("divergences under the prior are those of plain loops") {
  Random random(6621);
  for (int round = 0; round < effort(200, 40); ++round) {
    CAPTURE(round);
    const Model model = random_model(random, Entries::kRational);
    for (const std::int64_t order : {2, 3, 7}) {
      for (std::size_t i = 0; i < model.domain.size(); ++i) {
        check_against(divergence_under_prior(model, order, about_coordinate(i)), order,
                      plain_sum_under_prior(model, order, i));
      }
    }
  }
}

TEST_CASE("divergences of many runs under the prior follow from classes of outputs") {
  // The second of two correlated attributes is never asked. The first one is answered n times, kept with 3/4.
  constexpr std::int64_t n = 100;
  const Domain domain = domain_of_sizes({2, 2});
  const Number kept = Number::ratio(3, 4), lie = Number::ratio(1, 4);
  const ChannelPtr answer = channel_of_rows({{kept, lie}, {lie, kept}});
  Budget budget;
  const Model runs{domain, std::make_shared<ProductChannel>(domain, std::vector<Factor>(n, Factor{answer, {0}})),
                   Prior::from_weights(domain, {Number(3), Number(1), Number(1), Number(3)}, budget)};
  // The sum for one run at order 2 is 7/3.
  const MeasuredLevel first = divergence_under_prior(runs, 2, about_coordinate(0));
  CHECK(!first.unfinished);
  CHECK(first.at_least == Level::of_exponential(Number::ratio(7, 3).pow(n)));
  // The second one mixes the two distributions with weights 3/4 and 1/4, in either order.
  Number sum(0), ways(1);
  for (std::int64_t j = 0; j <= n; ++j) {
    const Number p = ways * kept.pow(j) * lie.pow(n - j), q = ways * lie.pow(j) * kept.pow(n - j);
    const Number from = kept * p + lie * q, to = lie * p + kept * q;
    sum += from * from / to;
    ways *= Number::ratio(n - j, j + 1);
  }
  const MeasuredLevel second = divergence_under_prior(runs, 2, about_coordinate(1));
  CHECK(!second.unfinished);
  CHECK(second.at_least == Level::of_exponential(sum));
}

TEST_CASE("divergences of parts with too many likelihoods are between two bounds") {
  // 18 answers with different probabilities have 2^18 ratios.
  const Domain domain = domain_of_sizes({2, 2});
  std::vector<Factor> parts;
  for (std::int64_t k = 0; k < 18; ++k) {
    const Number keep = Number::ratio(101 + 2 * k, 200);
    parts.push_back({channel_of_rows({{keep, Number(1) - keep}, {Number(1) - keep, keep}}), {0}});
  }
  Budget budget;
  const Model model{domain, std::make_shared<ProductChannel>(domain, parts),
                    Prior::from_weights(domain, {Number(3), Number(1), Number(1), Number(3)}, budget)};
  Limits limits;
  limits.max_cells = 1 << 16;
  const MeasuredLevel found = divergence_under_prior(model, 2, about_coordinate(1), limits);
  REQUIRE(found.unfinished);
  CHECK(found.at_least < found.at_most());
  // The order 2 of one answer has the sum keep^2 / (1 - keep) + (1 - keep)^2 / keep. Mixing lowers the divergence.
  Number product(1);
  for (std::int64_t k = 0; k < 18; ++k) {
    const Number keep = Number::ratio(101 + 2 * k, 200), lie = Number(1) - keep;
    product *= keep * keep / lie + lie * lie / keep;
  }
  CHECK(found.at_least < Level::of_exponential(product));
}

TEST_CASE("divergences of products that are not enumerated lie between their bounds") {
  Random random(6622);
  Limits few;
  few.max_cells = 8;
  int open = 0;
  for (int round = 0; round < effort(100, 20); ++round) {
    CAPTURE(round);
    const auto kinds = kinds_of_priors();
    const Model model = random_product(random, kinds[below(random, kinds.size())], Entries::kRational);
    for (const std::int64_t order : {2, 5}) {
      MeasuredLevel found;
      try {
        found = divergence_under_prior(model, order, about_coordinate(0), few);
      } catch (const LimitError&) {
        continue;  // the channel is no product
      }
      const auto sum = plain_sum_under_prior(model, order, 0);
      if (!sum) {
        CHECK(found.at_most().is_infinite());
        continue;
      }
      CHECK(found.at_least.times(order - 1) <= Level::of_exponential(*sum));
      CHECK(found.at_most().times(order - 1) >= Level::of_exponential(*sum));
      open += found.unfinished ? 1 : 0;
    }
  }
  CHECK(open > 0);
}
