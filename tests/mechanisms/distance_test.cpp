// Expected total variation distances: the proven bounds against exact expectations, by plain loops over all outcomes.

#include <doctest/doctest.h>
#include <algorithm>
#include <cmath>
#include <map>

#include "mechanisms/distance.h"
#include "mechanisms/estimator.h"
#include "tests/support/effort.h"
#include "tests/support/families.h"
#include "tests/support/random_model.h"
#include "verifier/exact/expression.h"

using namespace oddsbound;
using oddsbound::mechanisms::error_moments;
using oddsbound::mechanisms::ErrorMoments;
using oddsbound::mechanisms::expected_distance;
using oddsbound::mechanisms::outputs_for;
using oddsbound::testing::below;
using oddsbound::testing::read_example;
using oddsbound::testing::sized;

namespace {

// E |mean of n weights - mean of one| / 2, summed over targets: by the distribution of sums of n weights.
double distance_by_convolution(const Spec& spec, const Prior& prior, int n) {
  const mechanisms::Estimator& estimator = *spec.mechanism.estimator;
  const Channel& channel = *spec.model.channel;
  double total = 0;
  for (std::uint64_t j = 0; j < estimator.targets(); ++j) {
    std::map<double, double> one;
    double mean = 0;
    for (std::uint64_t x = 0; x < channel.inputs(); ++x) {
      mean += prior.probability(x).approx() * estimator.truth(j, x).approx();
      for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
        one[estimator.weight(j, channel.split(y)).approx()] +=
            prior.probability(x).approx() * channel.entry(x, y).approx();
      }
    }
    std::map<double, double> sum{{0, 1}};
    for (int k = 0; k < n; ++k) {
      std::map<double, double> next;
      for (const auto& [value, p] : sum) {
        for (const auto& [weight, q] : one) next[std::round((value + weight) * 1e9) / 1e9] += p * q;
      }
      sum = std::move(next);
    }
    for (const auto& [value, p] : sum) total += p * std::abs(value / n - mean) / 2;
  }
  return total;
}

Prior random_prior(const Domain& domain, oddsbound::testing::Random& random, Budget& budget) {
  std::vector<Number> weights;
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
    weights.push_back(Number(static_cast<std::int64_t>(below(random, 4) == 0 ? 40 : 1 + below(random, 5))));
  }
  return Prior::from_weights(domain, weights, budget);
}

}  // namespace

TEST_CASE("expected distances are within their bounds, for every family with few outputs") {
  const char* mechanisms[] = {
      R"j({"type": "k_randomized_response", "epsilon": "1"})j",
      R"j({"type": "k_randomized_response", "epsilon": "4"})j",
      R"j({"type": "hadamard_response", "epsilon": "1/2"})j",
      R"j({"type": "subset_selection", "epsilon": "2"})j",
      R"j({"type": "high_low_hadamard_response", "sensitive": [["1"]], "epsilon": "1"})j",
      R"j({"type": "block_hadamard_response", "blocks": [[["0"], ["2"]], [["1"]]], "epsilon": "2"})j"};
  oddsbound::testing::Random random(91);
  for (const char* mechanism : mechanisms) {
    CAPTURE(mechanism);
    Budget budget;
    const Spec spec = read_example(sized(3), mechanism, budget);
    for (int round = 0; round < 3; ++round) {
      const Prior prior = random_prior(spec.model.domain, random, budget);
      const auto moments = error_moments(*spec.mechanism.estimator, *spec.model.channel, prior, budget);
      REQUIRE(moments);
      for (const int n : {1, 2, 3, 10, 60, 300}) {
        CAPTURE(n);
        const double exact = distance_by_convolution(spec, prior, n);
        const auto bounds = expected_distance(*moments, static_cast<std::uint64_t>(n));
        CHECK(bounds.at_least <= exact + 1e-7);
        CHECK(exact <= bounds.at_most + 1e-7);
        CHECK(bounds.at_least > 0);
        if (n == 300) CHECK(bounds.at_most < 1.7 * bounds.at_least);
      }
    }
  }
}

TEST_CASE("the number of people for a distance is between its bounds, and the published bounds are larger") {
  Budget budget;
  for (const char* mechanism :
       {R"j({"type": "high_low_hadamard_response", "sensitive": [["1"], ["3"]], "epsilon": "1"})j",
        R"j({"type": "block_hadamard_response", "blocks": [[["0"], ["2"], ["3"]], [["1"]]], "epsilon": "1"})j"}) {
    CAPTURE(mechanism);
    const Spec spec = read_example(sized(4), mechanism, budget);
    const Prior prior = Prior::uniform(spec.model.domain);
    const auto moments = error_moments(*spec.mechanism.estimator, *spec.model.channel, prior, budget);
    REQUIRE(moments);
    for (const char* distance : {"1/2", "1/5"}) {
      const auto found = outputs_for(*moments, parse_number(distance));
      CHECK(found.too_few < found.enough);
      const double alpha = parse_number(distance).approx();
      // Exactly, by convolution: at `enough` the distance is reached, and it is not at `too_few`.
      if (found.enough <= 150) CHECK(distance_by_convolution(spec, prior, static_cast<int>(found.enough)) <= alpha);
      if (found.too_few > 0 && found.too_few <= 150) {
        CHECK(distance_by_convolution(spec, prior, static_cast<int>(found.too_few)) > alpha);
      }
      CHECK(expected_distance(*moments, found.enough).at_most <= alpha);
      CHECK(static_cast<double>(found.enough) < 2.7 * static_cast<double>(found.too_few + 10));
      REQUIRE(spec.mechanism.distance_bound);
      CHECK(mechanisms::outputs_by_bound(spec.mechanism.distance_bound->squares, parse_number(distance)) >=
            found.enough);
    }
  }
}

TEST_CASE("Propositions 4 and 5 of the context-aware paper bound the expected distance for every distribution") {
  oddsbound::testing::Random random(92);
  Budget budget;
  for (
      const char* mechanism :
      {R"j({"type": "high_low_hadamard_response", "sensitive": [["1"], ["3"]], "epsilon": "1/2"})j",
       R"j({"type": "block_hadamard_response", "blocks": [[["0"], ["2"]], [["1"], ["3"], ["4"]]], "epsilon": "2"})j"}) {
    const Spec spec = read_example(sized(5), mechanism, budget);
    double bound = 0;
    REQUIRE(spec.mechanism.distance_bound);
    for (const Number& square : spec.mechanism.distance_bound->squares) bound += std::sqrt(square.approx());
    for (int round = 0; round < oddsbound::testing::effort(30, 8); ++round) {
      const Prior prior = random_prior(spec.model.domain, random, budget);
      const auto moments = error_moments(*spec.mechanism.estimator, *spec.model.channel, prior, budget);
      for (const std::uint64_t n : {1U, 10U, 1000U, 1000000U}) {
        CHECK(expected_distance(*moments, n).at_most <= bound / std::sqrt(static_cast<double>(n)));
      }
    }
  }
}

TEST_CASE("moments of joint distributions from parts are those of all outputs") {
  Budget budget;
  const Spec spec =
      read_example(R"j([{"name": "a", "size": 2}, {"name": "b", "size": 3}])j",
                   R"j({"type": "per_coordinate", "mechanisms": {"a": {"type": "k_randomized_response", "epsilon": "1"},
                                                     "b": {"type": "k_randomized_response", "epsilon": "2"}}})j",
                   budget);
  oddsbound::testing::Random random(93);
  const Prior prior = random_prior(spec.model.domain, random, budget);
  const std::vector<std::size_t> all{0, 1};
  const auto marginal = mechanisms::marginal_of(spec.model.domain, spec.mechanism.parts, all, budget);
  const auto by_parts = error_moments(marginal, spec.model.domain, prior, budget);
  const auto whole = error_moments(*marginal.estimator, *spec.model.channel, prior, budget);
  REQUIRE(by_parts);
  REQUIRE(whole);
  REQUIRE(by_parts->size() == whole->size());
  for (std::size_t j = 0; j < whole->size(); ++j) {
    CHECK((*by_parts)[j].variance == doctest::Approx((*whole)[j].variance));
    CHECK((*by_parts)[j].third == doctest::Approx((*whole)[j].third));
    CHECK((*by_parts)[j].fourth == doctest::Approx((*whole)[j].fourth));
  }
}

TEST_CASE("a distance that takes more than 2^53 people is a limit") {
  Budget budget;
  const Spec spec = read_example(sized(2), R"j({"type": "k_randomized_response", "epsilon": "1"})j", budget);
  const auto moments =
      error_moments(*spec.mechanism.estimator, *spec.model.channel, Prior::uniform(spec.model.domain), budget);
  CHECK_THROWS_AS(outputs_for(*moments, parse_number("1/1000000000")), LimitError);
  CHECK(outputs_for(*moments, parse_number("1000")).enough == 1);
  CHECK(outputs_for(*moments, parse_number("1000")).too_few == 0);
}
