// Sums, parities and sets of values cost what changes; plans are upper bounds. By plain loops.

#include <doctest/doctest.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "releases/halfspace.h"
#include "releases/heavy_hitters.h"
#include "releases/mwem.h"
#include "releases/spec.h"
#include "tests/releases/release_models.h"
#include "tests/support/effort.h"
#include "verifier/exact/expression.h"

using namespace oddsbound;
using namespace oddsbound::testing;
using namespace oddsbound::releases;

namespace {

Noise plan_noise(bool gaussian, std::uint64_t parameter) {
  return {gaussian ? Noise::Kind::kGaussian : Noise::Kind::kLaplace, {parameter, 1}};
}

// P(noise = k) for k in -reach..reach, by the definition of the discrete distributions.
std::vector<double> mass_of_noise(bool gaussian, double parameter, int reach) {
  std::vector<double> mass;
  for (int k = -reach; k <= reach; ++k) {
    mass.push_back(gaussian ? std::exp(-static_cast<double>(k) * k / (2 * parameter))
                            : std::exp(-std::abs(k) / parameter));
  }
  const double total = std::accumulate(mass.begin(), mass.end(), 0.0);
  for (double& one : mass) one /= total;
  return mass;
}

}  // namespace

TEST_CASE("the variance of noise of a tiny scale is bounded above") {
  const Noise noise(Noise::Kind::kLaplace, {1, std::uint64_t{1} << 20});
  CHECK(noise.variance() > 0);
  CHECK(noise.variance() < 1e-300);
}

TEST_CASE("variances and largest errors of noise are upper bounds, near the exact ones") {
  for (const bool gaussian : {false, true}) {
    for (const std::uint64_t parameter : {1U, 3U, 8U}) {
      CAPTURE(gaussian);
      CAPTURE(parameter);
      constexpr int kReach = 400;
      const std::vector<double> mass = mass_of_noise(gaussian, static_cast<double>(parameter), kReach);
      double variance = 0;
      for (int k = -kReach; k <= kReach; ++k) variance += mass[static_cast<std::size_t>(k + kReach)] * k * k;
      const Noise noise = plan_noise(gaussian, parameter);
      CHECK(noise.variance() >= variance);
      CHECK(noise.variance() <= variance * 1.01 + 1e-6);
      for (const std::uint64_t numbers : {1U, 4U, 50U}) {
        // E max = sum over k >= 1 of 1 - P(|noise| < k)^numbers.
        double largest = 0;
        for (int k = 1; k <= kReach; ++k) {
          double inside = 0;
          for (int at = 1 - k; at < k; ++at) inside += mass[static_cast<std::size_t>(at + kReach)];
          largest += 1 - std::pow(inside, static_cast<double>(numbers));
        }
        CHECK(noise.largest_of(numbers) >= largest);
        CHECK(noise.largest_of(numbers) <= 2.2 * largest + 2);
      }
    }
  }
}

TEST_CASE("sums, parities and sets of values cost what changes, by all pairs of people, and never less than is lost") {
  std::mt19937_64 random(35);
  const auto below = [&](std::uint64_t n) { return static_cast<std::size_t>(random() % n); };
  for (int round = 0; round < effort(30, 8); ++round) {
    const Domain schema = schema_of({1 + below(2), 2, 1 + below(3)});
    CountsRequest request{schema, {}, plan_noise(false, 2 + below(2)), 0};
    Pattern sets{{1, 2}, {}};
    sets.sets = {{below(2) == 0, true}, std::vector<bool>(schema.values(2), false)};
    sets.sets[1][below(schema.values(2))] = true;
    sets.odd = below(2) == 0;
    if (below(2) == 0) request.counted.patterns.push_back({"sets", sets});
    PersonWeights weights{{0, 2}, {}, {schema.values(0), schema.values(2)}, below(2) == 0};
    weights.weights.resize(weights.joint ? 1 : 2);
    for (std::size_t k = 0; k < weights.weights.size(); ++k) {
      const std::size_t size = weights.joint ? schema.values(0) * schema.values(2) : schema.values(k == 0 ? 0 : 2);
      for (std::size_t v = 0; v < size; ++v) weights.weights[k].push_back(static_cast<std::int64_t>(below(4)) - 1);
    }
    request.counted.sums.push_back({"sum", weights});
    const StepPtr step = counts_step(request);
    const auto release = release_of(schema, {step});
    Budget budget;
    const Mechanism mechanism = release_mechanism(release, 1, budget);
    const Model model{domain_of_tables(schema, 1), mechanism.channel, std::nullopt};
    for (const Attributes& set : std::vector<Attributes>{{0}, {1}, {2}, {0, 2}, {1, 2}, {0, 1, 2}}) {
      // The largest change in total, by the definition.
      std::int64_t most = 0;
      for (std::uint64_t a = 0; a < schema.inputs(); ++a) {
        for (std::uint64_t b = 0; b < schema.inputs(); ++b) {
          const InputRow from = schema.row(a), to = schema.row(b);
          bool alike = true;
          for (std::size_t i = 0; i < 3; ++i) {
            alike = alike && (from[i] == to[i] || std::find(set.begin(), set.end(), i) != set.end());
          }
          if (!alike) continue;
          const auto number = [&](const InputRow& row) {
            const std::size_t cell = row[0] * schema.values(2) + row[2];
            return weights.joint ? weights.weights[0][cell] : weights.weights[0][row[0]] + weights.weights[1][row[2]];
          };
          const auto count = [&](const InputRow& row) {
            const std::int64_t had = (sets.sets[0][row[1]] ? 1 : 0) + (sets.sets[1][row[2]] ? 1 : 0);
            return request.counted.patterns.empty() ? std::int64_t{0} : sets.odd ? had % 2 : std::int64_t{had == 2};
          };
          most = std::max(most, std::abs(number(from) - number(to)) + std::abs(count(from) - count(to)));
        }
      }
      const Level level = level_of(model, schema, 1, set);
      CHECK(level <= step->loss(set).pure);
      if (most == 0) CHECK(step->loss(set).is_zero());
      // Laplace noise of scale b: e^(most / b), by the loss of one count that changes `most` times as much.
      CHECK(step->loss(set).pure == request.noise.loss(static_cast<std::uint64_t>(most)).pure);
      CHECK(step->loss(set).rho <= pure_loss(step->loss(set).pure).rho);
    }
  }
}

TEST_CASE("schemas that are too large to enumerate are charged query by query") {
  const Domain large = schema_of(std::vector<std::size_t>(12, 2));
  CountsRequest request{large, {}, plan_noise(true, 1), 0};
  PersonWeights weights{{0, 1}, {{0, 3}, {-1, 1}}, {2, 2}, false};
  request.counted.sums.push_back({"sum", weights});
  const StepPtr step = counts_step(request);
  CHECK(step->loss({0}).rho == Number::ratio(9, 2));
  CHECK(step->loss({1}).rho == Number(2));
  CHECK(step->loss({0, 1}).rho == Number::ratio(25, 2));
  CHECK(step->loss({2}).is_zero());
  PersonWeights joint{{0, 1}, {{0, 5, 1, -2}}, {2, 2}, true};
  CHECK(joint.largest_change({0}) == 7);  // 5 against -2, with the second value of attribute 1
  CHECK(joint.largest_change({1}) == 5);
  CHECK(joint.largest_change({0, 1}) == 7);
  CHECK(joint.largest_change({3}) == 0);
}

TEST_CASE("inequalities (2) and (3) in plans, and the numbers of people that they ask for") {
  const Domain schema = schema_of({2, 2, 2});
  CountsRequest request{schema, {}, plan_noise(true, 100), 10'000};
  request.counted.tables = {{0, 1}, {0, 2}, {1, 2}};
  request.consistent = true;
  const auto figure = [](const std::vector<PlannedFigure>& figures, const std::string& what) {
    for (const PlannedFigure& one : figures) {
      if (one.what.find(what) != std::string::npos) return one.value;
    }
    return -1.0;
  };
  const StepPtr counts = counts_step(request);
  const std::vector<PlannedFigure> plan = counts->plan({20, 0.5});
  // m = 12 counts; two people differ in all three tables, so the squared diameter is 6; |X| = 8.
  const double slope = 10 * std::sqrt(6.0) * std::sqrt(2 * std::log(8)) / 12;
  CHECK(figure(plan, "mean squared error of a number") == doctest::Approx(100));
  CHECK(figure(plan, "consistent count, at most") == doctest::Approx(std::min(100.0, 20 * slope)));
  // The variance is rounded up, so one more person may be asked for.
  CHECK(figure(plan, "root mean squared error") >= 20);
  CHECK(figure(plan, "root mean squared error") <= 21);
  CHECK(figure(plan, "consistent counts with that error") == std::min(20.0, std::ceil(slope / 0.25)));
  CHECK(figure(counts->plan({}), "mean squared error of a number") == doctest::Approx(100));

  MwemRequest mwem{schema, queries_of(schema, request.counted), 200, 1, {1, 4}, plan_noise(true, 16), false, 20};
  const StepPtr fitted = mwem_step(mwem);
  const auto bound = [&](double n) {
    return std::sqrt(16 / (n * n) + 4 * std::log(8) / 200) + (std::log(12) * 4 + 4 * 0x1p-20) / n;
  };
  const std::vector<PlannedFigure> planned = fitted->plan({1000, 0.25});
  CHECK(figure(planned, "expected largest error") == doctest::Approx(bound(1000)));
  const double people = figure(planned, "people for an expected largest error");
  CHECK(bound(people) <= 0.25 + 1e-6);
  CHECK(bound(people - 1) > 0.25 - 1e-6);
  CHECK(figure(fitted->plan({{}, 0.1}), "smallest error") == doctest::Approx(std::sqrt(4 * std::log(8) / 200)));
  mwem.fits_all = true;
  CHECK(mwem_step(mwem)->plan({1000, 0.25}).empty());
}

TEST_CASE("Lemma 30's and Theorem 15's numbers of people are above the one that the step proves") {
  const Domain schema = schema_of(std::vector<std::size_t>(8, 2));
  HeavyHittersRequest request{schema, every_coordinate(schema)};
  request.share = {1, 10};
  request.scale = scale_for(Level::of_exponential(Number::exp_of(Number(1))), levels_of(8, false), request.share);
  request.count_scale = request.scale;
  request.margin = margin_for(request.scale, request.share);
  request.window = 1000;
  const StepPtr step = heavy_hitters_step(request);
  const std::vector<PlannedFigure> plan = step->plan({});
  REQUIRE(plan.size() == 2);
  REQUIRE(step->promise());
  REQUIRE(step->promise()->people);
  const double b = request.scale.number().approx(), mu = static_cast<double>(request.margin);
  const double lemma = (16 * mu * std::log(8) + 16 * b * std::log(8 / (0.05 * 0.1))) / 0.1;
  CHECK(plan[0].value == doctest::Approx(std::ceil(lemma)));
  CHECK(plan[1].value >= plan[0].value);
  CHECK(static_cast<double>(*step->promise()->people) <= plan[0].value);
}

TEST_CASE("epsilon_0 and rounds cost epsilon_0^2 / 2 of rho for an attribute, rounded down a little") {
  for (const char* epsilon : {"1/2", "1", "3/2", "7/10", "1/100", "123/1000"}) {
    for (const int rounds : {1, 3, 8, 1000}) {
      if (parse_number(epsilon).pow(2) > Number(2 * rounds)) continue;
      CAPTURE(epsilon);
      CAPTURE(rounds);
      const std::string text = R"j({"oddsbound_release": 1, "name": "r", "attributes": [
          {"name": "a", "values": ["0", "1"]}, {"name": "b", "values": ["0", "1"]}],
          "steps": [{"type": "mwem", "of": [["a"], ["b"]], "epsilon_0": ")j" +
                               std::string(epsilon) + R"j(", "rounds": )j" + std::to_string(rounds) + "}]}";
      Budget budget;
      std::vector<SourceFile> files;
      const JsonDocument document("r.json", text);
      if (parse_number(epsilon).pow(2) * Number(1 << 20) < Number(2 * rounds)) {
        CHECK_THROWS_WITH_AS(read_release_document(document, ".", files, budget), doctest::Contains("too small"),
                             SpecError);
        continue;
      }
      const ReleaseFile file = read_release_document(document, ".", files, budget);
      const Number rho = file.release->loss({0}).rho, most = parse_number(epsilon).pow(2) / Number(2);
      CHECK(rho <= most);
      CHECK(rho.approx() > 0.95 * most.approx());
    }
  }
}
