// Samples that are drawn, and estimates from them.
#include <doctest/doctest.h>

#include <cmath>

#include "runs/estimates.h"
#include "runs/samples.h"
#include "tests/support/families.h"

using namespace oddsbound;
using oddsbound::testing::finite_examples;
using oddsbound::testing::kPair;
using oddsbound::testing::read_example;

namespace {

std::string samples_of(const Spec& spec, const SampleOptions& options) {
  std::string text;
  CHECK(write_samples(spec, options, [&](std::string_view piece) {
    text += piece;
    return true;
  }));
  return text;
}

SampleOptions seeded(std::vector<std::uint64_t> inputs, std::uint64_t count) {
  SampleOptions options;
  options.inputs = std::move(inputs);
  options.count = count;
  options.seed = 7;
  return options;
}

double sum_of(const EstimateResult& result) {
  double sum = 0;
  for (const Estimate& one : result.estimates) sum += one.value;
  return sum;
}

void check_round_trip(const EstimateResult& result) {
  Budget budget;
  const EstimateResult read = estimates_from_json(JsonDocument("estimates", to_json(result)), budget);
  CHECK(to_json(read) == to_json(result));
  CHECK(text_estimates(read) == text_estimates(result));
}

}  // namespace

TEST_CASE("what is drawn is read back as it was counted, for every family") {
  for (const auto& example : finite_examples()) {
    CAPTURE(example.mechanism);
    Budget budget;
    const Spec spec = read_example(example.domain, example.mechanism, budget);
    SampleOptions options = seeded({0, 1}, 200);
    const std::string lines = samples_of(spec, options);
    options.tally = true;
    const std::string counts = samples_of(spec, options);
    const CollectedOutputs drawn = read_output_table("drawn.csv", lines, *spec.model.channel, budget);
    CHECK(drawn.total == 400);
    CHECK(drawn.counts == read_output_table("counts.csv", counts, *spec.model.channel, budget).counts);
    options.json = true;
    CHECK(samples_of(spec, options).find('{') != std::string::npos);
  }
}

TEST_CASE("shares that are estimated from answers add up to one, and come close to the truth") {
  Budget budget;
  const Spec spec = read_example(kPair, R"j({"type": "k_randomized_response", "epsilon": "2"})j", budget);
  const std::string lines = samples_of(spec, seeded({0, 0, 0, 3}, 2000));
  const EstimateResult result =
      estimate(spec, read_output_table("drawn.csv", lines, *spec.model.channel, budget), budget);
  REQUIRE(result.estimates.size() == 4);
  CHECK(result.unbiased == true);
  CHECK(sum_of(result) == doctest::Approx(1));
  CHECK(result.estimates[0].value == doctest::Approx(0.75).epsilon(0.1));
  CHECK(std::abs(result.estimates[1].value) < 0.05);
  CHECK(to_json(result).find("\"unbiased\": true") != std::string::npos);
  check_round_trip(result);
  CHECK(text_estimates(result).find("(0,0)") != std::string::npos);
  const EstimateResult expected = plan(spec, 8000, budget);
  CHECK(text_estimates(expected).size() > 0);
  check_round_trip(expected);
  // The error that was foretold is that which was measured, nearly.
  CHECK(result.estimates[0].standard_error == doctest::Approx(0.01).epsilon(0.5));
}

TEST_CASE("means are estimated from vectors") {
  Budget budget;
  const Spec spec = read_spec(ODDSBOUND_SOURCE_DIR "/specs/gallery/duchi-l2-ball.json", budget);
  const std::string lines = samples_of(spec, seeded({1}, 4000));  // (-1/2, 0)
  const CollectedVectors collected = read_vector_table("drawn.csv", lines, spec.model.domain, budget);
  CHECK(collected.total == 4000);
  const EstimateResult result = estimate(spec, collected);
  REQUIRE(result.estimates.size() == spec.model.domain.size());
  check_round_trip(result);
  for (std::size_t i = 0; i < result.estimates.size(); ++i) {
    const Estimate& one = result.estimates[i];
    CHECK(std::abs(one.value - (i == 0 ? -0.5 : 0)) < 6 * one.standard_error);
    CHECK(text_estimates(result).find(one.target) != std::string::npos);
  }
}
