// Audits of curves: the bounds by hand, how often they are too large, and samplers that leak too much.
#include "audits/curve.h"

#include <doctest/doctest.h>

#include <cmath>

#include "audits/findings.h"
#include "base/errors.h"
#include "mechanisms/random/distributions.h"
#include "tests/support/audit_options.h"
#include "tests/support/effort.h"
#include "tests/support/families.h"
#include "tests/support/function_sampler.h"
#include "tests/support/random_model.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/interval.h"
#include "verifier/exact/number_sum.h"

using namespace oddsbound;
using oddsbound::testing::effort;
using oddsbound::testing::FunctionSampler;
using oddsbound::testing::naive_delta;
using oddsbound::testing::options_of;
using oddsbound::testing::read_example;

namespace {

const std::vector<Level> kEpsilons{Level(), parse_level("1/4"), parse_level("log(2)"), parse_level("9/10")};
const std::string kThreeValues = R"j({"type": "k_randomized_response", "epsilon": "1"})j";

CurveEvidence audited(const Spec& spec, const AuditOptions& options, const FunctionSampler::Draw& draw = {}) {
  Budget budget;
  const SamplerPtr sampler = draw ? std::make_shared<const FunctionSampler>(draw) : spec.mechanism.sampler_or_rows();
  const auto runner = sampler_runner(spec.model.channel, sampler, options.seed);
  return measure_curve(spec, *runner, kEpsilons, options, budget);
}

// Delta of k-randomized response at level 1: between two values, only the output that is the first one counts.
double delta_of_response(double k, double epsilon) {
  return (std::exp(1.0) - std::exp(epsilon)) / (std::exp(1.0) + k - 1);
}

}  // namespace

TEST_CASE("bounds of a curve are Clopper-Pearson limits of one event for each epsilon") {
  Budget budget;
  const Spec spec = read_example(oddsbound::testing::kThree, kThreeValues, budget);
  const double alpha = 0.02;
  const CurveEvidence evidence = audited(spec, options_of(50'000, 5, alpha));
  REQUIRE(evidence.bounds.size() == kEpsilons.size());
  CHECK(evidence.runs_from + evidence.runs_to == 45'000);
  CHECK(evidence.stages[0].total() == 5'000);
  CHECK(evidence.stages[1].total() == 45'000);
  const double each = 0.8 * alpha / 4 / 2;
  for (std::size_t k = 0; k < kEpsilons.size(); ++k) {
    const CurveBound& bound = evidence.bounds[k];
    CHECK(bound.epsilon == kEpsilons[k]);
    CHECK(bound.event[evidence.from]);
    CHECK(!bound.event[evidence.to]);
    const double low = lower_limit(evidence.runs_from, bound.in_from, each),
                 high = upper_limit(evidence.runs_to, bound.in_to, each), factor = std::exp(kEpsilons[k].approx());
    CHECK(bound.at_least.approx() == doctest::Approx(std::max(0.0, low - factor * high)).epsilon(1e-9));
    const double exact = delta_of_response(3, kEpsilons[k].approx());
    CHECK(bound.at_least.approx() <= exact);
    CHECK(bound.at_least.approx() >= exact - 0.04);
  }
}

TEST_CASE("a correct sampler's bounds are too large in no larger fraction of audits than stated") {
  Budget budget;
  const double alpha = 0.25;
  const int seeds = effort(1000, 200, 20);
  for (const bool vectors : {false, true}) {
    CAPTURE(vectors);
    const Spec spec = vectors ? read_example(oddsbound::testing::kPair, R"j({"type": "per_coordinate", "mechanisms": {
        "a": {"type": "k_randomized_response", "epsilon": "1"}, "b": {"type": "k_randomized_response", "epsilon": "1"}}})j",
                                             budget)
                              : read_example(oddsbound::testing::kThree, kThreeValues, budget);
    int wrong = 0, shown = 0;
    for (int seed = 0; seed < seeds; ++seed) {
      const CurveEvidence evidence = audited(spec, options_of(3'000, static_cast<std::uint64_t>(seed), alpha));
      bool too_large = false;
      for (const CurveBound& bound : evidence.bounds) {
        const Number exact = naive_delta(spec.model, evidence.from, evidence.to, bound.epsilon.exponential());
        too_large = too_large || bound.at_least > exact;
        shown += bound.at_least > exact / Number(2) ? 1 : 0;
      }
      wrong += too_large ? 1 : 0;
    }
    CHECK(wrong <= 0.8 * alpha * seeds);
    CHECK(shown >= seeds);
  }
}

TEST_CASE("a sampler with another curve is found, a bound of the right one is not") {
  Budget budget;
  const Spec spec = read_example(oddsbound::testing::kThree, kThreeValues, budget);
  // Truthful as at level 6/5, where level 1 is stated.
  const Number odds = Number::exp_of(Number::ratio(6, 5)), all = odds + Number(2);
  const Categorical truth({odds / all, Number(1) - odds / all});
  const auto draw = [&](std::uint64_t x, RandomSource& source) {
    if (truth.run(source) == 0) return x;
    const std::uint64_t other = UniformBelow(2).run(source);
    return other + (other >= x ? 1 : 0);
  };
  // Answers 2 truthfully always: an event that the stated channel does not propose for all epsilon.
  const auto reveals = [&](std::uint64_t x, RandomSource& source) { return x == 2 ? 2 : draw(x, source); };
  for (const std::uint64_t seed : {1, 2, 3}) {
    for (const FunctionSampler::Draw& wrong : {FunctionSampler::Draw(draw), FunctionSampler::Draw(reveals)}) {
      const CurveEvidence evidence = audited(spec, options_of(200'000, seed, 0.01), wrong);
      for (const CurveBound& bound : evidence.bounds) {
        const Number stated = naive_delta(spec.model, evidence.from, evidence.to, bound.epsilon.exponential());
        CHECK(bound.at_least > stated);
      }
    }
    const CurveEvidence right = audited(spec, options_of(200'000, seed, 0.01));
    for (const CurveBound& bound : right.bounds) {
      CHECK(bound.at_least <= naive_delta(spec.model, right.from, right.to, bound.epsilon.exponential()));
    }
  }
}

TEST_CASE("an audit of a curve depends on the seed, not on threads") {
  Budget budget;
  const Spec spec = read_example(oddsbound::testing::kFive, kThreeValues, budget);
  AuditOptions options = options_of(400'000, 7, 0.01);
  const CurveEvidence one = audited(spec, options);
  options.threads = 3;
  const CurveEvidence three = audited(spec, options);
  options.seed = 8;
  const CurveEvidence other = audited(spec, options);
  CHECK(one.from == three.from);
  CHECK(one.to == three.to);
  bool differs = false;
  for (std::size_t k = 0; k < one.bounds.size(); ++k) {
    CHECK(one.bounds[k].in_from == three.bounds[k].in_from);
    CHECK(one.bounds[k].at_least == three.bounds[k].at_least);
    differs = differs || one.bounds[k].in_from != other.bounds[k].in_from;
  }
  CHECK(differs);
}

TEST_CASE("a curve compares the neighbors of the spec's claim, and bad requests are errors") {
  Budget budget;
  const std::string mechanism = R"j({"type": "per_coordinate", "mechanisms": {
      "a": {"type": "k_randomized_response", "epsilon": "1"}, "b": {"type": "k_randomized_response", "epsilon": "1"}}})j";
  const auto spec_with = [&](const std::string& domain, const std::string& of, const std::string& claims) {
    return read_spec_text("test.json", ".",
                          R"j({"oddsbound": 1, "name": "test", "domain": )j" + domain + R"j(, "mechanism": )j" + of +
                              R"j(, "claims": [)j" + claims + "]}",
                          budget);
  };
  const Spec by_coordinate =
      spec_with(oddsbound::testing::kPair, mechanism,
                R"j({"notion": "approximate_dp", "epsilon": "1", "delta": "0.1", "neighbors": "coordinate"})j");
  const CurveEvidence evidence = audited(by_coordinate, options_of(20'000, 1, 0.01));
  const Domain& domain = by_coordinate.model.domain;
  int differences = 0;
  for (std::size_t i = 0; i < 2; ++i) differences += domain.digit(evidence.from, i) != domain.digit(evidence.to, i);
  CHECK(differences == 1);

  const auto message = [&](const Spec& spec, const std::vector<Level>& epsilons, std::uint64_t samples = 1000) {
    const AuditOptions options = options_of(samples, 1, 0.01);
    const auto runner = built_in_runner(spec, 1);
    try {
      measure_curve(spec, *runner, epsilons, options, budget);
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  CHECK(message(by_coordinate, {}) == "found 0 values of epsilon, expected 1 to 100");
  std::vector<Level> many;
  for (int k = 0; k <= 100; ++k) many.push_back(Level::of_exponential(Number(k + 1)));
  CHECK(message(by_coordinate, many) == "found 101 values of epsilon, expected 1 to 100");
  CHECK(message(by_coordinate, {Level::infinite()}) ==
        "found epsilon inf, expected finite ones: delta is 0 at an infinite epsilon");
  CHECK(message(by_coordinate, kEpsilons, 10) == "found 10 runs, expected at least 100");
  const Spec alone =
      spec_with(R"j([{"name": "a", "size": 1}])j", R"j({"type": "matrix", "outputs": ["y"], "rows": [["1"]]})j", "");
  CHECK(message(alone, kEpsilons) == "there is nothing to audit: no two inputs are compared");
  // Twice the same epsilon is once.
  const auto runner = built_in_runner(by_coordinate, 1);
  CHECK(measure_curve(by_coordinate, *runner, std::vector{Level(), Level()}, options_of(1000, 1, 0.01), budget)
            .bounds.size() == 1);
}
