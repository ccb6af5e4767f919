// The partial DP paper's statements about heavy hitters (Lemmas 28 and 30, Theorem 15), with their errors
// corrected: which tests of a chain cost nothing, the resulting bound, and what is found.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "mechanisms/sampler.h"
#include "releases/heavy_hitters.h"
#include "tests/releases/release_models.h"
#include "tests/support/effort.h"
#include "verifier/exact/expression.h"

using namespace oddsbound;
using namespace oddsbound::mechanisms;
using oddsbound::testing::effort;
using oddsbound::testing::schema_of;

namespace {

// P(a combination enters the list) if its count exceeds the threshold by `above`.
double enters(SmallRatio scale, std::int64_t above, std::int64_t margin) {
  return ClampedLaplace(scale, std::max(above, -margin), 1).probability(1).approx();
}

HeavyHittersRequest bits_request(std::size_t attributes, SmallRatio scale, std::uint64_t margin) {
  HeavyHittersRequest request{schema_of(std::vector<std::size_t>(attributes, 2)), {}, scale};
  request.attributes = every_coordinate(request.schema);
  request.margin = margin;
  return request;
}

// Four bits: 15 % of the people have one pattern, 12 % and 9 % two others; the rest are random.
PeopleTable many_people(std::size_t people, std::mt19937_64& random) {
  std::vector<std::vector<std::uint32_t>> columns(4);
  for (std::size_t p = 0; p < people; ++p) {
    const std::uint64_t kind = random() % 100;
    const std::uint64_t pattern = kind < 15 ? 1 : kind < 27 ? 6 : kind < 36 ? 11 : random() % 16;
    for (std::size_t i = 0; i < 4; ++i) columns[i].push_back(static_cast<std::uint32_t>(pattern >> i & 1));
  }
  return PeopleTable(std::move(columns));
}

}  // namespace

TEST_CASE("going up a chain counts fall and thresholds rise: the tests that cost nothing are the last, not the first") {
  std::mt19937_64 random(14);
  bool first_costs = false;
  for (int round = 0; round < effort(200, 50); ++round) {
    const SmallRatio scale{1 + random() % 5, 1 + random() % 2};
    const auto margin = static_cast<std::int64_t>(1 + random() % 4);
    auto count = static_cast<std::int64_t>(random() % 12);
    bool nothing = false;
    for (std::int64_t level = 1; level <= 16; ++level) {
      const std::int64_t above = count - (level - 1) * margin;
      const bool costs = enters(scale, above, margin) != enters(scale, above - 1, margin);
      CHECK_FALSE((nothing && costs));
      first_costs = first_costs || (level == 1 && costs);
      nothing = !costs;
      count -= static_cast<std::int64_t>(random() % 2);
    }
    CHECK(nothing);
  }
  CHECK(first_costs);
}

TEST_CASE("the proof's minimum would list what everybody has no likelier than what nobody has") {
  const SmallRatio scale{4, 1};
  constexpr std::int64_t kMargin = 21;
  const auto with_minimum = [&](std::int64_t above) {
    return ClampedLaplace(scale, std::min(above, -kMargin), 1).probability(1).approx();
  };
  CHECK(with_minimum(1'000) == with_minimum(-kMargin));
  CHECK(with_minimum(1'000) < 0.01);
  CHECK(enters(scale, 1'000, kMargin) > 0.99);
}

TEST_CASE("an attribute costs less than (2 + 1 / (1 - e^(-margin / scale))) / scale, and far less than Lemma 28 says") {
  for (const SmallRatio scale : {SmallRatio{1, 2}, {2, 1}, {4, 1}, {401, 100}}) {
    for (const std::uint64_t margin : {1u, 2u, 5u, 21u}) {
      for (const std::size_t attributes : {2u, 4u, 8u, 64u}) {
        const double b = scale.number().approx(), ratio = 1 / (1 - std::exp(-static_cast<double>(margin) / b));
        const double loss =
            heavy_hitters_step(bits_request(attributes, scale, margin))->loss({attributes - 1}).pure.approx();
        CHECK(loss <= (2 + ratio) / b);
        CHECK(loss <= 2 / b * (1 + ratio) * 3 / 4);
      }
    }
  }
}

TEST_CASE("with scale 3 and counts of scale 2, as printed for epsilon 1, an attribute costs 3/2 and more") {
  HeavyHittersRequest request = bits_request(4, {3, 1}, 16);
  request.count_scale = SmallRatio{2, 1};
  // 2/3 + 1/2 + max(1/3, 1/2).
  CHECK(heavy_hitters_step(request)->loss({0}).pure == parse_level("5/3"));
  request.scale = *(request.count_scale = scale_for(parse_level("1"), levels_of(4, false), {1, 10}));
  CHECK(heavy_hitters_step(request)->loss({0}).pure == parse_level("1"));
}

// nu = eta = 1/10, with the smallest number of people in Lemma 30: tau = 528.
TEST_CASE("what a tenth has is found, with counts that are near, in lists that are short") {
  constexpr double kShare = 0.1, kFailures = 0.1;
  HeavyHittersRequest request = bits_request(4, scale_for(parse_level("1"), levels_of(4, false), {1, 10}), 21);
  request.count_scale = request.scale;
  request.share = {1, 10};
  request.window = 1'000;
  const double b = request.scale.number().approx();
  const auto people =
      static_cast<std::size_t>(std::ceil(2 / kShare * (8 * 21 * 2 + 8 * b * std::log(4 / (kFailures * kShare)))));
  CHECK(people == 10'555);
  CHECK(static_cast<double>(people) >= b / kShare * std::log(256 / (kFailures * kFailures * kShare)));
  const StepPtr step = heavy_hitters_step(request);
  std::mt19937_64 random(30);
  const int runs = effort(40, 4);
  int failed = 0;
  double length = 0;
  for (int run = 0; run < runs; ++run) {
    const PeopleTable table = many_people(people, random);
    const auto source = Randomness{7, static_cast<std::uint64_t>(run)}.source(0);
    const std::vector<std::int64_t> told = step->run(table, *source);
    length += static_cast<double>(told[0]) / runs;
    std::vector<std::int64_t> counts(16), found(16);
    for (std::size_t p = 0; p < people; ++p) {
      std::size_t pattern = 0;
      for (std::size_t i = 0; i < 4; ++i) pattern |= std::size_t{table.column(i)[p]} << i;
      ++counts[pattern];
    }
    for (std::size_t at = 1; at < told.size(); at += 5) {
      std::size_t pattern = 0;
      for (std::size_t i = 0; i < 4; ++i) pattern |= static_cast<std::size_t>(told[at + i]) << i;
      found[pattern] = told[at + 4];
    }
    const double most = kShare * static_cast<double>(people);
    bool all = true;
    for (std::size_t k = 0; k < 16; ++k) all = all && std::abs(static_cast<double>(counts[k] - found[k])) <= most;
    failed += all ? 0 : 1;
  }
  CHECK(failed <= kFailures * runs);
  CHECK(length <= 8 / kShare);
  CHECK(length >= 3);
}

TEST_CASE("lists of 8/nu on average may be longer than 32/nu in a quarter of all runs: Markov needs 32/(eta nu)") {
  const Number share = Number::ratio(1, 10), failures = Number::ratio(1, 10);
  const Number mean = Number(8) / share, most = Number(32) / share;
  // Lists are either empty or of length most + 1: the mean is as stated.
  const Number longer = mean / (most + Number(1));
  CHECK(longer * (most + Number(1)) == mean);
  CHECK(longer > failures / Number(4));
  CHECK(mean / (most / failures) == failures / Number(4));
  // With that many counts, noise of scale b is within nu n everywhere, except with probability eta / 4.
  for (const std::uint64_t scale : {2u, 4u, 8u}) {
    const double b = static_cast<double>(scale), nu = share.approx(), eta = failures.approx();
    const auto people = std::ceil(b / nu * std::log(256 / (eta * eta * nu)));
    const auto within = static_cast<std::int64_t>(nu * people);
    const ClampedLaplace above({scale, 1}, -within, 1);  // P(noise > within) on one side
    CHECK(2 * above.probability(1).approx() * 32 / (eta * nu) <= eta / 4);
  }
}
