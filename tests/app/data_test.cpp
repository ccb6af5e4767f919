// Drawn samples, and estimates from them.

#include <doctest/doctest.h>
#include <cmath>
#include <stop_token>

#include "app/estimates.h"
#include "app/samples.h"
#include "base/errors.h"
#include "tests/support/families.h"

using namespace oddsbound;
using oddsbound::testing::finite_examples;
using oddsbound::testing::kPair;
using oddsbound::testing::read_example;

namespace {

SampleResult samples_of(const Spec& spec, const InputList& inputs, const SampleOptions& options) {
  std::optional<SampleResult> drawn;
  CHECK(draw_samples(spec, inputs, options, Context(), [&](SampleResult piece) {
    CHECK(!drawn);
    drawn = std::move(piece);
    return true;
  }));
  REQUIRE(drawn);
  return *drawn;
}

SampleOptions seeded(std::uint64_t count) { return {count, 7}; }

double sum_of(const EstimateResult& result) {
  double sum = 0;
  for (const Estimate& one : result.estimates) sum += one.value;
  return sum;
}

}  // namespace

TEST_CASE("what is drawn is read back as it was counted, for every family") {
  for (const auto& example : finite_examples()) {
    CAPTURE(example.mechanism);
    Budget budget;
    const Spec spec = read_example(example.domain, example.mechanism, budget);
    const InputList inputs(std::vector<std::uint64_t>{0, 1});
    SampleOptions options = seeded(200);
    const std::string lines = text_samples(samples_of(spec, inputs, options));
    options.tally = true;
    const std::string counts = text_samples(samples_of(spec, inputs, options));
    const CollectedOutputs drawn = read_output_table("drawn.csv", lines, *spec.model.channel, budget);
    CHECK(drawn.total == 400);
    CHECK(drawn.counts == read_output_table("counts.csv", counts, *spec.model.channel, budget).counts);
  }
}

TEST_CASE("shares that are estimated from answers add up to one, and come close to the truth") {
  Budget budget;
  const Spec spec = read_example(kPair, R"j({"type": "k_randomized_response", "epsilon": "2"})j", budget);
  const InputList inputs(std::vector<std::uint64_t>{0, 0, 0, 3});
  const std::string lines = text_samples(samples_of(spec, inputs, seeded(2000)));
  const EstimateResult result =
      estimate(spec, read_output_table("drawn.csv", lines, *spec.model.channel, budget), budget);
  REQUIRE(result.estimates.size() == 4);
  CHECK(result.unbiased == true);
  CHECK(sum_of(result) == doctest::Approx(1));
  CHECK(result.estimates[0].value == doctest::Approx(0.75).epsilon(0.1));
  CHECK(std::abs(result.estimates[1].value) < 0.05);
  CHECK(to_json(result).find("\"unbiased\": true") != std::string::npos);
  const std::string text = text_estimates(result);
  CHECK(text.find("95 % interval") != std::string::npos);
  CHECK(text.find("(0,0)") == std::string::npos);  // a column for each attribute
  const EstimateResult expected = plan(spec, 8000, budget);
  CHECK(text_estimates(expected).size() > 0);
  // The predicted error approximates the measured one.
  CHECK(result.estimates[0].standard_error == doctest::Approx(0.01).epsilon(0.5));
}

TEST_CASE("means are estimated from vectors") {
  Budget budget;
  const Spec spec = read_spec(ODDSBOUND_SOURCE_DIR "/specs/gallery/duchi-l2-ball.json", budget);
  const InputList inputs(std::vector<std::uint64_t>{1});  // (-1/2, 0)
  const std::string lines = text_samples(samples_of(spec, inputs, seeded(4000)));
  const CollectedVectors collected = read_vector_table("drawn.csv", lines, spec.model.domain, 1, budget);
  CHECK(collected.total == 4000);
  const EstimateResult result = estimate(spec, collected);
  REQUIRE(result.estimates.size() == spec.model.domain.size());
  for (std::size_t i = 0; i < result.estimates.size(); ++i) {
    const Estimate& one = result.estimates[i];
    CHECK(std::abs(one.value - (i == 0 ? -0.5 : 0)) < 6 * one.standard_error);
    CHECK(text_estimates(result).find(one.target) != std::string::npos);
  }
}

TEST_CASE("what is drawn comes in pieces, alike for any number of threads, until it is enough") {
  Budget budget;
  const Spec spec = read_example(kPair, R"j({"type": "k_randomized_response", "epsilon": "2"})j", budget);
  const InputList inputs(std::vector<std::uint64_t>{0, 3});
  const SampleOptions options = seeded(200'000);
  const auto drawn = [&](std::size_t threads) {
    SampleWriter writer(false);
    std::string text;
    std::size_t pieces = 0;
    std::uint64_t told = 0;
    const auto take = [&](const SampleResult& piece) {
      text += writer.piece(piece);
      ++pieces;
      return true;
    };
    Context context;
    context.limits.threads = threads;
    context.progress = [&](std::uint64_t done, std::uint64_t of, const std::string&) {
      CHECK(of == 400'000);
      told = done;
    };
    CHECK(draw_samples(spec, inputs, options, context, take));
    CHECK(pieces == 2);
    CHECK(told == 400'000);
    return text + writer.end();
  };
  CHECK(drawn(1) == drawn(2));
  SampleResult piece{"f.json", "f", 7, {}, std::vector<std::string>{"a", "b"}};
  SampleWriter writer(true);
  std::string json = writer.piece(piece);
  json += writer.piece(piece) + writer.end();
  std::get<0>(piece.outputs) = {"a", "b", "a", "b"};
  CHECK(json == to_json(piece));
  std::size_t pieces = 0;
  CHECK(!draw_samples(spec, inputs, options, Context(), [&](const SampleResult&) { return ++pieces < 1; }));
  CHECK(pieces == 1);
  std::stop_source stop;
  Context stopped;
  stopped.limits.stop = stop.get_token();
  stop.request_stop();
  CHECK_THROWS_AS(draw_samples(spec, inputs, options, stopped, [](const SampleResult&) { return true; }), LimitError);
  CHECK(text_samples(samples_of(spec, InputList(), SampleOptions())) == "output\n");
}
