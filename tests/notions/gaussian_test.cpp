// Gaussian DP: closed forms, and its relations to other notions on random models.
#include "verifier/notions/gaussian.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <utility>
#include <vector>

#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "verifier/model/product_channel.h"
#include "verifier/notions/table.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

MeasuredLevel mu_of(const Model& model, const Limits& limits = {}) {
  Arguments arguments;
  arguments.set("mu", Level::infinite());
  Budget budget(limits);
  MeasuredModel subject(model, budget);
  return std::get<MeasuredLevel>(gaussian_dp_notion().decide(subject, arguments).actual);
}

// Randomized response that keeps a bit with this probability, `times` times.
Model response(const Number& keep, std::size_t times = 1) {
  const Domain domain({{"x", {"0", "1"}}});
  const ChannelPtr one = channel_of_rows({{keep, Number(1) - keep}, {Number(1) - keep, keep}});
  if (times == 1) return {domain, one, std::nullopt};
  return {domain, std::make_shared<const ProductChannel>(domain, std::vector<Factor>(times, {one, {0}})), std::nullopt};
}

// The largest Phi^-1(p) - Phi^-1(q) over all pairs of inputs and all sets of outputs with the largest ratios.
double mu_by_loops(const Channel& channel) {
  const boost::math::normal normal;
  double largest = 0;
  for (std::uint64_t a = 0; a < channel.inputs(); ++a) {
    for (std::uint64_t b = 0; b < channel.inputs(); ++b) {
      std::vector<std::pair<double, double>> masses;
      for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
        masses.emplace_back(channel.entry(a, y).approx(), channel.entry(b, y).approx());
      }
      std::sort(masses.begin(), masses.end(),
                [](const auto& one, const auto& other) { return one.first * other.second > other.first * one.second; });
      double p = 0, q = 0;
      for (const auto& [of_a, of_b] : masses) {
        p += of_a;
        q += of_b;
        if (p <= 0 || q <= 0 || p >= 1 - 1e-12 || q >= 1 - 1e-12) continue;
        largest = std::max(largest, boost::math::quantile(normal, p) - boost::math::quantile(normal, q));
      }
    }
  }
  return largest;
}

// Phi, in doubles.
double normal(double t) { return std::erfc(-t / std::sqrt(2.0)) / 2; }

}  // namespace

TEST_CASE("mu of randomized response is twice a quantile") {
  // Phi^-1(3/4) = 0.67448975019608171, Phi^-1(9/10) = 1.2815515655446004
  const MeasuredLevel three_quarters = mu_of(response(Number::ratio(3, 4)));
  CHECK(three_quarters.at_least.approx() == doctest::Approx(2 * 0.67448975019608171).epsilon(1e-14));
  CHECK(three_quarters.at_most().approx() == doctest::Approx(2 * 0.67448975019608171).epsilon(1e-14));
  CHECK(three_quarters.at_least < three_quarters.at_most());
  const Witness witness = three_quarters.witness.get();
  CHECK(witness.p_from == Number::ratio(3, 4));
  CHECK(witness.p_to == Number::ratio(1, 4));
  CHECK(mu_of(response(Number::ratio(9, 10))).at_least.approx() == doctest::Approx(2 * 1.2815515655446004));
}

TEST_CASE("equal rows have mu 0, and an output that one input alone has an infinite one") {
  CHECK(mu_of(response(Number::ratio(1, 2))).at_least == Level());
  CHECK(!mu_of(response(Number::ratio(1, 2))).unfinished);
  const MeasuredLevel infinite = mu_of(response(Number(1)));
  CHECK(infinite.at_least.is_infinite());
  CHECK(infinite.witness.get().outputs.size() == 1);
}

TEST_CASE("probabilities near 0, 1 and one another keep their digits") {
  const Number tiny = Number(1) / Number(10).pow(300);
  // Phi^-1(1e-300) = -37.0470964...
  CHECK(mu_of(response(tiny)).at_least.approx() == doctest::Approx(2 * 37.0470964).epsilon(1e-8));
  // p - q = 2 tiny: mu = 2 tiny / density(0)
  const MeasuredLevel near = mu_of(response(Number::ratio(1, 2) + tiny));
  CHECK(near.at_least.approx() == doctest::Approx(2e-300 * std::sqrt(2 * 3.14159265358979323846)).epsilon(1e-9));
  CHECK(near.at_most().approx() <= near.at_least.approx() * (1 + 1e-12));
}

TEST_CASE("n runs of randomized response have the losses of a binomial distribution, at any number of outputs") {
  // 20 runs at 3/4 are between their events of k correct answers; the middle one shows most.
  const MeasuredLevel listed = mu_of(response(Number::ratio(3, 4), 4));
  const MeasuredLevel parts = mu_of(response(Number::ratio(3, 4), 200));
  const double one = 2 * 0.67448975019608171;
  CHECK(listed.at_most().approx() <= std::sqrt(4.0) * one + 1e-12);
  CHECK(parts.at_most().approx() <= std::sqrt(200.0) * one + 1e-9);
  CHECK(parts.at_least.approx() > 10);
  CHECK(parts.witness.get().likelihood_event);
}

TEST_CASE("Gaussian DP relates to other notions as the manual says") {
  Random random(4911);
  for (int round = 0; round < effort(300, 50); ++round) {
    CAPTURE(round);
    const Model model = random_model(random, round % 4 == 3 ? Entries::kWithExp : Entries::kRational);
    const MeasuredLevel mu = mu_of(model);
    Budget budget;
    MeasuredModel subject(model, budget);
    Arguments pure;
    pure.set("epsilon", Level::infinite());
    const Level ldp = std::get<MeasuredLevel>(find_notion("ldp")->decide(subject, pure).actual).at_least;
    REQUIRE(ldp.is_infinite() == mu.at_least.is_infinite());
    if (ldp.is_infinite()) continue;
    CHECK(mu.at_least.approx() == doctest::Approx(mu_by_loops(*model.channel)).epsilon(1e-7).scale(1e-7));
    CHECK(mu.at_most().approx() <= mu.at_least.approx() * (1 + 1e-13));
    // The trade-off curve of an event of probability e^eps / (1 + e^eps) against 1 / (1 + e^eps).
    const double t = mu.at_least.approx() / 2;
    CHECK(normal(t) <= 1 / (1 + std::exp(-ldp.approx())) + 1e-12);
    const double most = mu.at_most().approx();
    if (most < 1e-6) continue;
    for (const double epsilon : {0.0, 0.25, 1.0}) {
      Arguments arguments;
      arguments.set("epsilon", Level::of_exponential(Number::exp_of(Number::ratio(static_cast<int>(epsilon * 4), 4))));
      arguments.set("delta", Number(1));
      const auto found = find_notion("approximate_dp")->decide(subject, arguments);
      const double delta = std::get<MeasuredNumber>(found.actual).at_most().approx();
      CHECK(delta <=
            normal(most / 2 - epsilon / most) - std::exp(epsilon) * normal(-most / 2 - epsilon / most) + 1e-12);
    }
    Arguments concentrated;
    concentrated.set("rho", Level::infinite());
    const auto rho = std::get<MeasuredLevel>(find_notion("zcdp")->decide(subject, concentrated).actual);
    CHECK(rho.at_least.approx() <= most * most / 2 + 1e-9);
  }
}
