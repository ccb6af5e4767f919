// Every kind of prior answers every query like its dense expansion.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <map>

#include "base/errors.h"
#include "mechanisms/sampler.h"
#include "tests/support/effort.h"
#include "tests/support/random_prior.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

Domain binary_domain(std::size_t coordinates) {
  std::vector<Coordinate> all;
  for (std::size_t i = 0; i < coordinates; ++i) all.push_back({"x" + std::to_string(i), {"0", "1"}});
  return Domain(std::move(all));
}

std::vector<Number> probabilities(const Prior& prior) {
  Budget budget;
  std::vector<Number> result = prior.dense(budget).weights;
  for (Number& weight : result) weight /= prior.total();
  return result;
}

std::vector<std::size_t> random_coordinates(Random& random, const Domain& domain) {
  std::vector<std::size_t> chosen(domain.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = i;
  std::shuffle(chosen.begin(), chosen.end(), random);
  chosen.resize(1 + below(random, chosen.size()));
  return chosen;
}

// By definition: the sum over all inputs in which coordinate i has this value.
Number naive_mass(const std::vector<Number>& weights, const Domain& domain, std::size_t i, std::uint64_t value) {
  Number mass(0);
  for (std::uint64_t x = 0; x < weights.size(); ++x) {
    if (domain.digit(x, i) == value) mass += weights[x];
  }
  return mass;
}

// By definition, over the inputs x with keeps(x).
template <typename Keeps>
std::vector<Number> naive_marginal(const std::vector<Number>& weights, const Domain& domain,
                                   const std::vector<std::size_t>& coordinates, Keeps keeps) {
  const Projection project(domain, coordinates);
  std::vector<Number> sums(project.size());
  Number total(0);
  for (std::uint64_t x = 0; x < weights.size(); ++x) {
    if (!keeps(x)) continue;
    sums[project(x)] += weights[x];
    total += weights[x];
  }
  for (Number& sum : sums) sum /= total;
  return sums;
}

void check_rows(const Prior& prior, const std::vector<Number>& weights) {
  Budget budget;
  std::map<InputRow, Number> rows;
  prior.each_row(budget, [&](InputView row, const Number& weight) {
    CHECK(!weight.is_zero());
    CHECK_MESSAGE(rows.emplace(InputRow(row.begin(), row.end()), weight).second, "each row is visited once");
    CHECK(prior.weight(row) == weight);
  });
  std::size_t positive = 0;
  for (const Number& weight : weights) positive += weight.is_zero() ? 0 : 1;
  CHECK(rows.size() == positive);
  CHECK(prior.support_size(budget) == Number(static_cast<std::int64_t>(positive)));
  CHECK(prior.has_full_support(budget) == (positive == weights.size()));
}

void check_against_twin(Random& random, const Prior& prior, const Domain& domain) {
  Budget budget;
  const Prior twin = dense_twin(prior, domain);
  const std::vector<Number>& weights = twin.dense(budget).weights;
  REQUIRE(prior.dense(budget).weights == weights);
  CHECK(prior.dense(budget).approx == twin.dense(budget).approx);
  CHECK(prior.dense(budget).approximations_usable == twin.dense(budget).approximations_usable);
  CHECK(prior.total() == twin.total());
  check_rows(prior, weights);
  for (std::uint64_t x = 0; x < weights.size(); ++x) CHECK(prior.probability(x) == weights[x] / twin.total());
  for (std::size_t i = 0; i < domain.size(); ++i) {
    const std::vector<Number> masses = prior.marginal_weights(i, budget);
    CHECK(masses == twin.marginal_weights(i, budget));
    const std::vector<std::size_t> coordinates = random_coordinates(random, domain);
    const Prior part = prior.marginal(coordinates, budget);
    const auto all = [](std::uint64_t) { return true; };
    CHECK(probabilities(part) == naive_marginal(weights, domain, coordinates, all));
    for (std::uint32_t value = 0; value < masses.size(); ++value) {
      REQUIRE(masses[value] == naive_mass(weights, domain, i, value));
      if (masses[value].is_zero()) {
        CHECK_THROWS_AS(prior.conditional(i, value, coordinates, budget), ModelError);
        continue;
      }
      const Prior given = prior.conditional(i, value, coordinates, budget);
      const auto has_value = [&](std::uint64_t x) { return domain.digit(x, i) == value; };
      CHECK(probabilities(given) == naive_marginal(weights, domain, coordinates, has_value));
    }
  }
}

bool are_independent(const Prior& prior, const Domain& domain) {
  Budget budget;
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
    Number product(1);
    for (std::size_t i = 0; i < domain.size(); ++i) {
      product *= prior.marginal_weights(i, budget)[domain.digit(x, i)] / prior.total();
    }
    if (product != prior.probability(x)) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("every kind of prior answers like its dense expansion") {
  for (const KindOfPrior& kind : kinds_of_priors()) {
    CAPTURE(kind.name);
    Random random(21);
    for (int round = 0; round < 25; ++round) {
      const Domain domain = random_domain(random);
      const Prior prior = kind.make(random, domain);
      check_against_twin(random, prior, domain);
      if (prior.has_independent_coordinates()) CHECK(are_independent(prior, domain));
    }
  }
}

TEST_CASE("parts of priors are priors of which the same can be asked") {
  for (const KindOfPrior& kind : kinds_of_priors()) {
    CAPTURE(kind.name);
    Random random(22);
    for (int round = 0; round < 15; ++round) {
      const Domain domain = random_domain(random);
      const Prior prior = kind.make(random, domain);
      Budget budget;
      const std::vector<std::size_t> coordinates = random_coordinates(random, domain);
      const Domain part = domain.restricted_to(coordinates);
      check_against_twin(random, prior.marginal(coordinates, budget), part);
      const std::size_t i = below(random, domain.size());
      const std::vector<Number> masses = prior.marginal_weights(i, budget);
      std::uint32_t value = 0;
      while (masses[value].is_zero()) ++value;
      check_against_twin(random, prior.conditional(i, value, coordinates, budget), part);
    }
  }
}

TEST_CASE("what is no prior is refused") {
  Budget budget;
  const Domain domain = binary_domain(2);
  CHECK_THROWS_AS(Prior::from_weights(domain, {Number(1)}, budget), ModelError);
  CHECK_THROWS_AS(Prior::from_weights(domain, {Number(1), Number(-1), Number(1), Number(1)}, budget), ModelError);
  CHECK_THROWS_AS(Prior::from_weights(domain, std::vector<Number>(4, Number(0)), budget), ModelError);
  CHECK_THROWS_AS(Prior::from_rows(domain, {}, budget), ModelError);
  CHECK_THROWS_AS(Prior::from_rows(domain, {{{0, 2}, Number(1)}}, budget), ModelError);
  CHECK_THROWS_AS(Prior::from_rows(domain, {{{0}, Number(1)}}, budget), ModelError);
  CHECK_THROWS_AS(Prior::from_rows(domain, {{{0, 1}, Number(-1)}}, budget), ModelError);
  CHECK_THROWS_AS(Prior::product(domain, {{Number(1), Number(0)}}), ModelError);
  CHECK_THROWS_AS(Prior::product(domain, {{Number(1), Number(0)}, {Number(0), Number(0)}}), ModelError);
  CHECK_THROWS_AS(Prior::product(domain, {{Number(1), Number(0)}, {Number(2), Number(-1)}}), ModelError);
  CHECK_THROWS_AS(Prior::mixture(domain, {Prior::uniform(domain)}, {}), ModelError);
  CHECK_THROWS_AS(Prior::mixture(domain, {Prior::uniform(domain)}, {Number(0)}), ModelError);
  CHECK_THROWS_AS(Prior::mixture(domain, {Prior::uniform(binary_domain(3))}, {Number(1)}), ModelError);
}

TEST_CASE("what is no network is refused") {
  const Domain domain = binary_domain(2);
  const std::vector<Number> fair(2, Number::ratio(1, 2));
  CHECK_THROWS_AS(Prior::network(domain, {{0, {}, {fair}}}), ModelError);
  CHECK_THROWS_AS(Prior::network(domain, {{0, {}, {fair}}, {0, {}, {fair}}}), ModelError);
  CHECK_THROWS_AS(Prior::network(domain, {{0, {1, 1}, {fair, fair, fair, fair}}, {1, {}, {fair}}}), ModelError);
  CHECK_THROWS_AS(Prior::network(domain, {{0, {1}, {fair, fair}}, {1, {0}, {fair, fair}}}), ModelError);
  CHECK_THROWS_AS(Prior::network(domain, {{0, {1}, {fair}}, {1, {}, {fair}}}), ModelError);
  CHECK_THROWS_AS(Prior::network(domain, {{0, {}, {fair, fair}}, {1, {}, {fair}}}), ModelError);
  CHECK_THROWS_AS(Prior::network(domain, {{0, {}, {{Number(1)}}}, {1, {}, {fair}}}), ModelError);
  CHECK_THROWS_AS(Prior::network(domain, {{0, {}, {{Number(1), Number(1)}}}, {1, {}, {fair}}}), ModelError);
  CHECK_THROWS_AS(Prior::network(domain, {{0, {7}, {fair, fair}}, {1, {}, {fair}}}), ModelError);
}

TEST_CASE("a chain of a hundred coordinates is asked about its ends without counting its 2^100 inputs") {
  // x_{i+1} = x_i with probability 3/4. The second eigenvalue of a step is 1/2, so given x_0 = 0 the last
  // coordinate is 0 with probability (1 + 2^-99) / 2.
  const Domain domain = binary_domain(100);
  const Number high = Number::ratio(3, 4);
  const Number low = Number::ratio(1, 4);
  std::vector<NetworkNode> nodes{{0, {}, {{high, low}}}};
  for (std::size_t i = 1; i < 100; ++i) nodes.push_back({i, {i - 1}, {{high, low}, {low, high}}});
  const Prior chain = Prior::network(domain, std::move(nodes));
  Budget budget;
  const std::array<std::size_t, 1> last{99};
  const Prior given = chain.conditional(0, 0, last, budget);
  CHECK(probabilities(given)[0] == (Number(1) + Number(2).pow(-99)) / Number(2));
  // P(x_99 = 0) = (1 + 2^-99 / 2) / 2, since P(x_0 = 0) - P(x_0 = 1) = 1/2.
  CHECK(chain.marginal_weights(99, budget)[0] == (Number(1) + Number(2).pow(-100)) / Number(2));
  const std::array<std::size_t, 2> ends{99, 0};
  CHECK(probabilities(chain.marginal(ends, budget))[0] == high * (Number(1) + Number(2).pow(-99)) / Number(2));
  CHECK(chain.has_full_support(budget));
  CHECK_THROWS_AS(chain.dense(budget), LimitError);
}

TEST_CASE("a marginal below several parents is that of all rows") {
  // x2 has the parents x0 and x1, and x3 and x4 have one parent each.
  const Domain domain = domain_of_sizes({2, 3, 2, 3, 2});
  Random random(23);
  for (int round = 0; round < effort(40, 5); ++round) {
    const auto rows = [&](std::size_t count, std::size_t values) {
      std::vector<std::vector<Number>> table;
      while (table.size() < count) table.push_back(random_distribution(random, values, Entries::kRational));
      return table;
    };
    const Prior prior = Prior::network(domain, {{0, {}, rows(1, 2)},
                                                {1, {0}, rows(2, 3)},
                                                {2, {0, 1}, rows(6, 2)},
                                                {3, {2}, rows(2, 3)},
                                                {4, {3}, rows(3, 2)}});
    Budget budget;
    for (std::size_t i = 0; i < domain.size(); ++i) {
      std::vector<Number> masses(domain.values(i));
      prior.each_row(budget, [&](InputView row, const Number& weight) { masses[row[i]] += weight; });
      CHECK(prior.marginal_weights(i, budget) == masses);
    }
  }
}

TEST_CASE("rows of a table are few, however many inputs there are") {
  const Domain domain = binary_domain(100);
  Budget budget;
  InputRow ones(100, 1);
  InputRow mixed(100, 0);
  mixed[7] = 1;
  const Prior table = Prior::from_rows(domain, {{ones, Number(2)}, {mixed, Number(1)}, {ones, Number(1)}}, budget);
  CHECK(table.support_size(budget) == Number(2));
  CHECK(table.weight(ones) == Number(3));
  CHECK(table.weight(InputRow(100, 0)).is_zero());
  CHECK(!table.has_full_support(budget));
  CHECK(table.marginal_weights(8, budget) == std::vector<Number>{Number(1), Number(3)});
  CHECK_THROWS_AS(table.dense(budget), LimitError);
  const Prior both = Prior::mixture(domain, {table, Prior::uniform(domain)}, {Number(1), Number(1)});
  CHECK(both.has_full_support(budget));
  CHECK(both.marginal_weights(8, budget)[0] == Number::ratio(1, 4) + Number::ratio(1, 2));
}

TEST_CASE("the dense weights keep to the limit of the caller") {
  const Domain domain = binary_domain(4);
  Limits limits;
  limits.max_inputs = 15;
  const Prior prior = Prior::uniform(domain);
  Budget strict(limits);
  CHECK_THROWS_WITH_AS(prior.dense(strict),
                       "a prior is wanted for each of more inputs than may be held (--max-inputs 15)", LimitError);
  Budget budget{Limits()};
  CHECK(prior.dense(budget).weights.size() == 16);
}

TEST_CASE("rows are drawn from every kind of prior as often as they are likely") {
  Random random(31);
  for (const KindOfPrior& kind : kinds_of_priors()) {
    CAPTURE(kind.name);
    const Domain domain = binary_domain(3);
    const Prior prior = kind.make(random, domain);
    const PriorSampler sampler(prior);
    const auto source = Randomness{7, 1}.source(0);
    constexpr int kDraws = 20'000;
    std::vector<double> counts(domain.inputs());
    for (int i = 0; i < kDraws; ++i) ++counts[domain.number(sampler.draw(*source))];
    for (std::uint64_t x = 0; x < counts.size(); ++x) {
      const double p = prior.probability(x).approx();
      CHECK(std::abs(counts[x] - p * kDraws) <= 6 * std::sqrt(p * (1 - p) * kDraws));
    }
  }
}
