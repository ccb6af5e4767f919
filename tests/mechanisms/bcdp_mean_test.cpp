// The errors by which the parameters of Mechanism 1 are chosen, against exact errors and against draws.

#include <doctest/doctest.h>
#include <cmath>

#include "mechanisms/bcdp_budget.h"
#include "mechanisms/bcdp_mean.h"
#include "mechanisms/duchi.h"
#include "tests/support/families.h"
#include "verifier/exact/expression.h"

using namespace oddsbound;
using oddsbound::testing::read_example;
using oddsbound::testing::signs;

namespace {

// The ten coordinates of Figure 3: the first two are protected at 1/5, the others at 2.
std::string figure_3(const std::string& q) {
  std::string delta;
  for (int i = 0; i < 10; ++i) {
    delta += std::string(i > 0 ? ", " : "") + "\"c" + std::to_string(i) + "\": \"" + (i < 2 ? "1/5" : "2") + "\"";
  }
  return R"j({"type": "bcdp_mean_l2", "delta": {)j" + delta + R"j(}, "epsilon": "2", "q": ")j" + q +
         R"j(", "zeta": "best"})j";
}

const std::vector<double> kFigure3{0.2, 0.2, 2, 2, 2, 2, 2, 2, 2, 2};

std::string three(const std::string& q, const std::string& zeta) {
  return R"j({"type": "bcdp_mean", "delta": {"c0": "1", "c1": "1/2", "c2": "3/2"}, "epsilon": "3/2", "q": ")j" + q +
         R"j(", "zeta": ")j" + zeta + "\"}";
}

// Mean squared error of one answer at the first input, exact.
double exact_error(const Spec& spec) {
  Budget budget;
  std::vector<Number> weights(spec.model.domain.inputs(), Number(0));
  weights[0] = Number(1);
  const Prior prior = Prior::from_weights(spec.model.domain, weights, budget);
  return mean_squared_error(*spec.mechanism.estimator, *spec.model.channel, prior, Number(1), budget).approx();
}

}  // namespace

TEST_CASE("the error of Mechanism 1 on signs is the exact one of its estimator, rounded") {
  for (const char* q : {"1/20", "1/5"}) {
    for (const char* zeta : {"1/4", "1/2"}) {
      Budget budget;
      const Spec spec = read_example(signs(3), three(q, zeta), budget);
      const std::vector<double> capped{0.5, 1, 1.5};
      const std::vector<double> steps = bcdp_steps(capped, parse_number(q).approx(), parse_number(zeta).approx());
      CHECK(bcdp_error(steps, hypercube_variance) == doctest::Approx(exact_error(spec)).epsilon(1e-7));
    }
  }
  for (const int d : {1, 2, 3, 4}) {
    Budget budget;
    const Spec spec = read_example(signs(d), R"j({"type": "duchi_hypercube", "epsilon": "7/5"})j", budget);
    CHECK(d * hypercube_variance(static_cast<std::size_t>(d), 1.4) == doctest::Approx(exact_error(spec)));
  }
}

TEST_CASE("no zeta, nor one step, has a smaller exact error than the best") {
  for (const char* q : {"0", "1/50", "1/20", "1/10", "1/5", "1"}) {
    CAPTURE(q);
    Budget budget;
    const double best = exact_error(read_example(signs(3), three(q, "best"), budget));
    for (const char* zeta : {"1/10", "3/20", "4/25", "17/100", "1/5", "3/10", "1/2", "4/5"}) {
      CAPTURE(zeta);
      CHECK(best <= exact_error(read_example(signs(3), three(q, zeta), budget)) * (1 + 1e-7));
    }
    const Spec one_step = read_example(signs(3), R"j({"type": "duchi_hypercube", "epsilon": "1/2"})j", budget);
    CHECK(best <= exact_error(one_step) * (1 + 1e-7));
  }
}

TEST_CASE("the best zeta is among those that can be written exactly") {
  Budget budget;
  // sqrt(9/4) is rational, as is no other power with denominator 200.
  const Spec halves = read_example(signs(2), R"j({"type": "bcdp_mean", "delta": {"c0": "log(9/4)", "c1": "log(9)"},
                                                  "epsilon": "log(9)", "q": "1/50", "zeta": "best"})j",
                                   budget);
  CHECK(halves.notes == std::vector<std::string>{"bcdp_mean: zeta = 1/2 estimates with the least error"});
  const Spec none = read_example(signs(2), R"j({"type": "bcdp_mean", "delta": {"c0": "log(2)", "c1": "log(9)"},
                                                "epsilon": "log(9)", "q": "1/50", "zeta": "best"})j",
                                 budget);
  CHECK(none.notes ==
        std::vector<std::string>{"bcdp_mean: one step at the least delta estimates with the least error"});
  // Without correlation, no root is needed.
  const Spec independent = read_example(signs(2), R"j({"type": "bcdp_mean", "delta": {"c0": "log(2)", "c1": "log(9)"},
                                                       "epsilon": "log(9)", "q": "0", "zeta": "best"})j",
                                        budget);
  CHECK(independent.notes == std::vector<std::string>{"bcdp_mean: zeta = 1/200 estimates with the least error"});
}

TEST_CASE("on Figure 3's coordinates zeta = (1 + q)/2 is worse than one step from q = 0.09 on, the best never is") {
  const double one_step = 10 * ball_variance(10, 0.2) / 10000;
  CHECK(one_step == doctest::Approx(1.5033).epsilon(1e-4));
  const auto printed = [](double q) { return bcdp_error(bcdp_steps(kFigure3, q, (1 + q) / 2), ball_variance) / 10000; };
  CHECK(printed(0.01) == doctest::Approx(0.6457).epsilon(1e-4));
  CHECK(printed(0.56) == doctest::Approx(6.9419).epsilon(1e-4));
  CHECK(printed(0.08) < one_step);
  for (const double q : {0.09, 0.12, 0.5, 0.9, 0.99}) CHECK(printed(q) > one_step);
  Budget budget;
  const auto chosen = [&](const char* q) { return read_example(signs(10), figure_3(q), budget).notes.at(0); };
  CHECK(chosen("1/100") == "bcdp_mean_l2: zeta = 9/100 estimates with the least error");
  CHECK(chosen("3/25") == "bcdp_mean_l2: zeta = 17/50 estimates with the least error");
  CHECK(chosen("1/2") == "bcdp_mean_l2: one step at the least delta estimates with the least error");
  CHECK(bcdp_error(bcdp_steps(kFigure3, 0.01, 0.09), ball_variance) / 10000 == doctest::Approx(0.4180).epsilon(1e-4));
}

// BCDP paper, (63), bounds the error by d and by a constant times d^2 / level^2.
TEST_CASE("the error of a step before projection is not bounded by the number of coordinates, nor does it vanish") {
  CHECK(10 * ball_variance(10, 0.2) == doctest::Approx(15032.8).epsilon(1e-5));
  CHECK(10 * ball_variance(10, 8) == doctest::Approx(139.63).epsilon(1e-4));
  CHECK(10 * ball_variance(10, 100) > 139);
  for (const std::size_t m : {1U, 2U, 3U, 10U}) {
    const double length = BallDraw(m, std::sqrt(static_cast<double>(m)), parse_level("7/5")).length();
    CHECK(ball_variance(m, 1.4) == doctest::Approx(length * length / static_cast<double>(m) - 1));
  }
}

TEST_CASE("draws of Mechanism 1 on the ball are as far off as computed") {
  Budget budget;
  const Spec spec = read_example(signs(3), R"j({"type": "bcdp_mean_l2", "delta": {"c0": "1", "c1": "2", "c2": "2"},
                                                "epsilon": "2", "q": "1/20", "zeta": "1/2"})j",
                                 budget);
  const ContinuousMechanism& mechanism = *spec.mechanism.continuous;
  SeededSource source(1, 1, 1);
  constexpr int kDraws = 40'000;
  constexpr std::uint64_t kInput = 5;
  double square = 0;
  for (int i = 0; i < kDraws; ++i) {
    std::vector<double> drawn(3);
    mechanism.draw(kInput, source, drawn);
    const std::vector<double> mean = mechanism.mean(kInput);
    for (std::size_t j = 0; j < 3; ++j) square += (drawn[j] - mean[j]) * (drawn[j] - mean[j]);
  }
  const double error = bcdp_error(bcdp_steps(std::vector<double>{1, 2, 2}, 0.05, 0.5), ball_variance);
  CHECK(square / kDraws == doctest::Approx(error).epsilon(0.02));
}
