// Fitted distributions: the stated cost of the rounds is at least the exact loss of the code on all small tables.

#include <doctest/doctest.h>
#include <cmath>
#include <random>

#include "audits/exhaustive.h"
#include "base/errors.h"
#include "mechanisms/random/distributions.h"
#include "mechanisms/sampler.h"
#include "releases/counts.h"
#include "releases/halfspace.h"
#include "releases/mwem.h"
#include "tests/releases/release_models.h"
#include "tests/support/effort.h"
#include "verifier/exact/expression.h"

using namespace oddsbound;
using namespace oddsbound::mechanisms;
using oddsbound::testing::effort;
using oddsbound::testing::level_of;
using oddsbound::testing::release_of;
using oddsbound::testing::schema_of;

namespace {

std::vector<NamedPattern> ones_of(std::size_t attributes) {
  std::vector<NamedPattern> queries;
  for (std::size_t i = 0; i < attributes; ++i) queries.push_back({"one", {{i}, {1}}});
  return queries;
}

MwemRequest request_of(std::size_t attributes, std::uint64_t together) {
  MwemRequest request{schema_of(std::vector<std::size_t>(attributes, 2)),
                      ones_of(attributes),
                      1,
                      together,
                      {1, 4},
                      {Noise::Kind::kLaplace, {2, 1}}};
  return request;
}

Level walked_level(const MwemRequest& request, std::size_t people, const Attributes& changed) {
  Budget budget;
  const auto release = release_of(request.schema, {mwem_step(request)});
  const Mechanism mechanism = release_mechanism(release, people, budget);
  return level_of({domain_of_tables(request.schema, people), mechanism.channel, std::nullopt}, request.schema, people,
                  changed);
}

}  // namespace

TEST_CASE("a selection is as likely as the exponential mechanism says, and its code draws that") {
  const Selection choice({1, 4}, 1, {6, 0, 3});
  const double all = std::exp(0.75) + 1 + std::exp(0.375);
  CHECK(choice.probability(0).approx() == doctest::Approx(std::exp(0.75) / all));
  CHECK(choice.probability(1).approx() == doctest::Approx(1 / all));
  CHECK((choice.probability(0) + choice.probability(1) + choice.probability(2)).is_one());
  CHECK(choice.key() == Selection({1, 4}, 1, {6, 0, 3}).key());
  CHECK(choice.key() != Selection({1, 4}, 1, {6, 0, 4}).key());
  CHECK(choice.key() != Selection({1, 4}, 2, {6, 0, 3}).key());
  std::vector<int> seen(3);
  const auto source = Randomness{5, 1}.source(0);
  constexpr int kDraws = 30'000;
  for (int k = 0; k < kDraws; ++k) ++seen[draw(choice, *source)];
  for (std::uint64_t o = 0; o < 3; ++o) {
    const double p = choice.probability(o).approx();
    CHECK(std::abs(seen[o] - p * kDraws) < 5 * std::sqrt(p * kDraws));
  }
}

TEST_CASE("what a round costs, and what its code loses on all tables of two records") {
  CHECK(mwem_step(request_of(3, 2))->loss({0}).pure == parse_level("1"));
  CHECK(mwem_step(request_of(3, 2))->loss({0, 2}).pure == parse_level("2"));
  CHECK(mwem_step(request_of(3, 2))->loss({0, 1, 2}).pure == parse_level("2"));
  CHECK(walked_level(request_of(3, 2), 2, {0}) == parse_level("1/2 + log((2 + exp(1/4))/3)"));
  CHECK(walked_level(request_of(3, 2), 2, {0, 1}).approx() == doctest::Approx(1.173407173));
  CHECK(walked_level(request_of(3, 2), 2, {0, 1, 2}).approx() == doctest::Approx(1.332949531));
  CHECK(walked_level(request_of(2, 1), 2, {1}) == parse_level("1/2 + log((1 + exp(1/4))/2)"));
  CHECK(walked_level(request_of(2, 1), 2, {0, 1}) == parse_level("3/4"));
  CHECK(walked_level(request_of(2, 2), 2, {0}) == parse_level("1/2"));
}

TEST_CASE("rho of choices is that of bounded range, and rhos add up over rounds") {
  MwemRequest request = request_of(3, 2);
  request.noise = {Noise::Kind::kGaussian, {4, 1}};
  request.rounds = 5;
  // 5 ((2/4)^2 / 2 + 2 / 8)
  CHECK(mwem_step(request)->loss({0, 1, 2}).rho == Number::ratio(15, 8));
  CHECK(mwem_step(request)->loss({0}).rho == Number::ratio(25, 32));
  CHECK(mwem_step(request)->loss({0}).pure.is_infinite());
}

TEST_CASE("with the paper's rate and noise an attribute has rho e0^2 / 2, and a person e0^2 (l^2 + l) / 4") {
  // T rounds at rate e_T, variance 1 / e_T^2, e0^2 = 2 T e_T^2. Theorem 12 states (l e0)^2 / 2 for a person.
  for (const std::uint64_t rounds : {1u, 3u}) {
    for (const std::uint64_t together : {1u, 2u, 4u}) {
      MwemRequest request = request_of(5, together);
      request.rounds = rounds;
      request.rate = {1, 4};
      request.noise = {Noise::Kind::kGaussian, {16, 1}};
      const auto l = static_cast<std::int64_t>(together);
      const Number square = Number::ratio(2 * static_cast<std::int64_t>(rounds), 16);
      const Number person = mwem_step(request)->loss(every_coordinate(request.schema)).rho;
      CHECK(mwem_step(request)->loss({3}).rho == square / Number(2));
      CHECK(person == square * Number::ratio(l * l + l, 4));
      CHECK((person < square * Number::ratio(l * l, 2)) == (l > 1));
    }
  }
}

TEST_CASE("random fitted distributions never lose more than they say, in any attributes") {
  std::mt19937_64 random(1125);
  const auto below = [&](std::uint64_t n) { return random() % n; };
  for (int round = 0; round < effort(150, 25, 6); ++round) {
    std::vector<std::size_t> values(1 + below(3));
    for (std::size_t& n : values) n = 1 + below(2);
    const Domain schema = schema_of(values);
    MwemRequest request{
        schema, {}, 1 + below(2), 1, {1 + below(3), 1 + below(4)}, {Noise::Kind::kLaplace, {1 + below(3), 1}}};
    for (std::size_t q = 0; q < 2 + below(2); ++q) {
      NamedPattern query;
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (below(2) == 0) continue;
        query.pattern.attributes.push_back(i);
        query.pattern.values.push_back(static_cast<std::uint32_t>(below(values[i])));
      }
      request.queries.push_back(query);
    }
    request.together = 1 + below(2);
    request.score_bits = 4;
    request.fits_all = below(2) == 0;
    StepPtr step;
    try {
      step = mwem_step(request);
    } catch (const ModelError&) {
      continue;  // no two queries differ
    }
    for (std::uint64_t set = 1; set < (1u << values.size()); ++set) {
      Attributes changed;
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (set >> i & 1) changed.push_back(i);
      }
      CHECK(walked_level(request, 1, changed) <= step->loss(changed).pure);
      Loss of_parts;
      for (const CostPart& part : step->parts()) of_parts += part.of(changed);
      CHECK(step->loss(changed).pure <= of_parts.pure);
      CHECK(step->loss(changed).rho <= of_parts.rho);
    }
  }
}

TEST_CASE("a distribution that is fitted says what it was told, and the rest follows") {
  const Domain schema = schema_of({2, 2});
  const std::vector<NamedPattern> queries{{"a", {{0}, {1}}}, {"b", {{1}, {1}}}, {"a and b", {{0, 1}, {1, 1}}}};
  FittedDistribution fitted(schema, queries, true);
  CHECK(fitted.share(2) == doctest::Approx(0.25));
  const std::vector<std::uint32_t> first{0}, second{1};
  const std::vector<double> most{0.8}, half{0.5};
  fitted.fit(first, most);
  fitted.fit(second, half);
  CHECK(fitted.told_share(0) == doctest::Approx(0.8));
  CHECK(fitted.told_share(2) == doctest::Approx(0.4));
  FittedDistribution printed(schema, queries, false);
  printed.fit(first, most);
  // A(u) e^(0.15) where a is 1: e^0.15 / (1 + e^0.15).
  CHECK(printed.share(0) == doctest::Approx(std::exp(0.15) / (1 + std::exp(0.15))));
  CHECK(printed.told_share(0) == doctest::Approx(0.5));
  FittedDistribution of_none(schema, queries, true);
  const std::vector<double> none{0.0};
  of_none.fit(first, none);
  CHECK(of_none.share(0) == doctest::Approx(0).epsilon(1e-5));
  CHECK(of_none.share(1) == doctest::Approx(0.5));
}

TEST_CASE("what no fitted distribution can be made of is refused") {
  MwemRequest shared = request_of(2, 2);
  shared.queries[1].pattern = shared.queries[0].pattern;
  CHECK_THROWS_AS(mwem_step(shared), ModelError);
  MwemRequest wide = request_of(1, 1);
  wide.schema = schema_of(std::vector<std::size_t>(21, 2));
  CHECK_THROWS_AS(mwem_step(wide), LimitError);
}

TEST_CASE("choices of a fitted distribution are proved down to random words") {
  const MwemRequest request = request_of(2, 1);
  Budget budget;
  const Mechanism mechanism = release_mechanism(release_of(request.schema, {mwem_step(request)}), 2, budget);
  CHECK(audits::check_exhaustively(*mechanism.channel, *mechanism.sampler, ExhaustiveOptions{}, budget).passed());
}
