// The errors by which the parameters of Mechanism 1 are chosen, against exact errors and against draws.

#include <doctest/doctest.h>
#include <algorithm>
#include <cmath>

#include "mechanisms/bcdp_budget.h"
#include "mechanisms/bcdp_mean.h"
#include "mechanisms/duchi.h"
#include "tests/support/effort.h"
#include "tests/support/families.h"
#include "tests/support/random_model.h"
#include "verifier/exact/expression.h"

using namespace oddsbound;
using oddsbound::testing::below;
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
  CHECK(halves.notes ==
        std::vector<std::string>{"bcdp_mean: zeta = 1/2 estimates with the least error; constants c (the CDP "
                                 "levels are at most these): c0 log(225/116), c1 log(9); LDP level log(9)"});
  const Spec none = read_example(signs(2), R"j({"type": "bcdp_mean", "delta": {"c0": "log(2)", "c1": "log(9)"},
                                                "epsilon": "log(9)", "q": "1/50", "zeta": "best"})j",
                                 budget);
  CHECK(none.notes ==
        std::vector<std::string>{"bcdp_mean: one step at the least delta estimates with the least error; constants c "
                                 "(the CDP levels are at most these): c0 log(2), c1 log(2); LDP level log(2)"});
  // Without correlation, no root is needed.
  const Spec independent = read_example(signs(2), R"j({"type": "bcdp_mean", "delta": {"c0": "log(2)", "c1": "log(9)"},
                                                       "epsilon": "log(9)", "q": "0", "zeta": "best"})j",
                                        budget);
  CHECK(independent.notes ==
        std::vector<std::string>{"bcdp_mean: zeta = 1/200 estimates with the least error; constants c (the CDP "
                                 "levels are at most these): c0 log(2), c1 log(9); LDP level log(9)"});
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
  const auto chosen = [&](const char* q) {
    const std::string note = read_example(signs(10), figure_3(q), budget).notes.at(0);
    return note.substr(0, note.find("; constants c"));
  };
  // L = log(1 + (e^(9/500) - 1)/(1/100)), and 1/5 - log(1 + (e^L - 1)/100) = 1/5 - 9/500 for the first two.
  CHECK(read_example(signs(10), figure_3("1/100"), budget).notes.at(0).find("c0 91/500, c1 91/500, c2 1.03542, ") !=
        std::string::npos);
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

TEST_CASE(
    "a step's variance is at most 8 times its coordinates over the square of its level, counted as 1 from there on") {
  double largest = 0;
  for (std::size_t m = 1; m <= 60; ++m) {
    for (double level = 1e-4; level < 60; level *= 1.15) {
      const double counted = std::min(level, 1.0);
      const double unit = static_cast<double>(m) / (counted * counted);
      for (const double variance : {hypercube_variance(m, level), ball_variance_inside(m, level)}) {
        CHECK(variance <= 8 * unit);
        largest = std::max(largest, variance / unit);
      }
    }
  }
  CHECK(largest > 7.99);  // two signs, as the level goes to 0
}

TEST_CASE("(17) with the constant 8 bounds every error, and up to level 1 it is 8 times the printed sum") {
  oddsbound::testing::Random random(17);
  double tightest = 0;
  for (int round = 0; round < 400; ++round) {
    const std::size_t d = 1 + below(random, 8);
    const double scale = round % 2 == 0 ? 1.0 / static_cast<double>(d) : 3.0;
    std::vector<double> steps;
    for (std::size_t k = 0; k < d; ++k) {
      const bool none = k > 0 && below(random, 3) == 0;
      steps.push_back(none ? 0 : scale * static_cast<double>(1 + below(random, 1000)) / 1000);
    }
    const double bound = bcdp_error_bound(steps);
    for (const StepVariance variance : {hypercube_variance, ball_variance, ball_variance_inside}) {
      CHECK(bcdp_error(steps, variance) <= bound);
      tightest = std::max(tightest, bcdp_error(steps, variance) / bound);
    }
    if (round % 2 == 0) CHECK(bound == doctest::Approx(8 * bcdp_printed_error(steps)));
  }
  CHECK(tightest > 0.5);
  // By hand: 1/(1/4 / 2), and 1/(1/4 / 2 + 1) with the levels 1/2 and 1.
  CHECK(bcdp_printed_error(std::vector<double>{0.5, 1}) == doctest::Approx(8 + 8.0 / 9));
}

TEST_CASE("levels above 1 that count as 1 give no bound with the weights of the paper") {
  std::vector<double> steps(200, 0.0), counted(200, 0.0);
  std::fill_n(steps.begin(), 100, 1.0);
  steps[100] = 30;
  std::fill_n(counted.begin(), 101, 1.0);
  CHECK(bcdp_error(steps, ball_variance) > 18 * bcdp_printed_error(counted));
  CHECK(bcdp_error(counted, ball_variance) <= 8 * bcdp_printed_error(counted));
  CHECK(bcdp_error(steps, ball_variance) <= bcdp_error_bound(steps));
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

// Bounds of the correlation by coordinate: the statement in bcdp_budget.cpp, against enumeration.

namespace {

// Largest total variation distance between the distributions of the other coordinates, by plain loops over signs.
Number naive_correlation(const std::vector<Number>& weights, int d, int i) {
  Number mass[2], distance(0);
  const auto with = [&](int rest, int value) {
    const int high = rest >> (d - 1 - i) << (d - i), low = rest & ((1 << (d - 1 - i)) - 1);
    return static_cast<std::size_t>(high | (value << (d - 1 - i)) | low);
  };
  for (int rest = 0; rest < 1 << (d - 1); ++rest) {
    for (const int value : {0, 1}) mass[value] += weights[with(rest, value)];
  }
  for (int rest = 0; rest < 1 << (d - 1); ++rest) {
    const Number difference = weights[with(rest, 0)] / mass[0] - weights[with(rest, 1)] / mass[1];
    distance += difference.sign() < 0 ? -difference : difference;
  }
  return distance / Number(2);
}

// exp of the BCDP level of coordinate i, by the definition.
Number naive_bcdp(const Spec& spec, const std::vector<Number>& weights, int d, int i) {
  Budget budget;
  Number largest(1);
  for (std::uint64_t y = 0; y < spec.model.channel->outputs(); ++y) {
    Number mass[2], joint[2];
    for (std::uint64_t x = 0; x < weights.size(); ++x) {
      const std::size_t value = (x >> (d - 1 - i)) & 1;
      mass[value] += weights[x];
      joint[value] += weights[x] * spec.model.channel->entry(x, y);
    }
    const Number quotient = joint[0] * mass[1] / (joint[1] * mass[0]);
    largest = std::max({largest, quotient, Number(1) / quotient});
  }
  return largest;
}

std::string by_coordinate(const std::vector<Number>& numbers, std::size_t left_out) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i != left_out)
      text += (text.empty() ? "\"c" : ", \"c") + std::to_string(i) + "\": \"" + numbers[i].to_string() + "\"";
  }
  return "{" + text + "}";
}

}  // namespace

TEST_CASE("Mechanism 1 with a bound by coordinate keeps every delta under every prior within the bounds") {
  oddsbound::testing::Random random(51);
  const char* exponentials[] = {"9/4", "4", "9", "16"};
  int kept = 0, broken_by_others = 0, left_out = 0;
  for (int round = 0; round < oddsbound::testing::effort(120, 40); ++round) {
    const int d = 2 + static_cast<int>(below(random, 2));
    std::vector<Number> weights, q, delta;
    for (int x = 0; x < 1 << d; ++x) {
      const std::int64_t skew = x == 0 || x == (1 << d) - 1 ? 30 : 1;
      weights.push_back(Number(1 + static_cast<std::int64_t>(below(random, 6)) * (below(random, 2) == 0 ? skew : 1)));
    }
    // A bound is what this prior has: no smaller one is right.
    for (int i = 0; i < d; ++i) q.push_back(naive_correlation(weights, d, i));
    for (int i = 0; i < d; ++i) delta.push_back(parse_number(exponentials[below(random, 4)]));
    // The last of the coordinates with the largest delta needs no bound; others may be left out as well.
    std::size_t largest = 0;
    for (std::size_t i = 0; i < delta.size(); ++i) largest = delta[i] >= delta[largest] ? i : largest;
    const std::size_t missing = below(random, 3) == 0 ? below(random, d) : largest;
    const auto mechanism = [&](const std::vector<Number>& bounds) {
      std::string levels;
      for (int i = 0; i < d; ++i) {
        levels += (i == 0 ? "\"c" : ", \"c") + std::to_string(i) + "\": \"log(" +
                  delta[static_cast<std::size_t>(i)].to_string() + ")\"";
      }
      return R"j({"type": "bcdp_mean", "delta": {)j" + levels + R"j(}, "epsilon": "log(16)", "zeta": ")j" +
             (round % 2 == 0 ? "1/2" : "1") + R"j(", "q": )j" + by_coordinate(bounds, missing) + "}";
    };
    CAPTURE(mechanism(q));
    Budget budget;
    const Spec spec = read_example(signs(d), mechanism(q), budget);
    bool above_half = false;
    for (int i = 0; i < d; ++i) {
      const Number level = naive_bcdp(spec, weights, d, i);
      CHECK(level <= delta[static_cast<std::size_t>(i)]);
      above_half = above_half || level * level > delta[static_cast<std::size_t>(i)];
    }
    kept += above_half ? 1 : 0;
    left_out += missing != largest ? 1 : 0;
    // With the bounds of other coordinates some delta may be exceeded.
    std::vector<Number> turned(q.begin() + 1, q.end());
    turned.push_back(q.front());
    const Spec wrong = read_example(signs(d), mechanism(turned), budget);
    for (int i = 0; i < d; ++i)
      broken_by_others += naive_bcdp(wrong, weights, d, i) > delta[static_cast<std::size_t>(i)] ? 1 : 0;
  }
  CHECK(kept > 20);
  CHECK(left_out > 3);
  CHECK(broken_by_others > 0);
}

TEST_CASE("equal bounds by coordinate are one bound, and smaller bounds leave larger constants") {
  Budget budget;
  const auto with = [&](const std::string& q) {
    return read_example(signs(3),
                        R"j({"type": "bcdp_mean", "delta": {"c0": "1", "c1": "1/2", "c2": "3/2"},
                                       "epsilon": "3/2", "zeta": "1/2", "q": )j" +
                            q + "}",
                        budget);
  };
  const Spec one = with("\"1/5\""), each = with(R"j({"c0": "1/5", "c1": "1/5", "c2": "1/5"})j");
  CHECK(one.notes == each.notes);
  CHECK(one.notes == with(R"j({"c1": "1/5", "c0": "1/5"})j").notes);  // the last coordinate needs none
  REQUIRE(one.model.channel->outputs() == each.model.channel->outputs());
  for (std::uint64_t x = 0; x < 8; ++x) {
    for (std::uint64_t y = 0; y < one.model.channel->outputs(); ++y) {
      CHECK(one.model.channel->entry(x, y) == each.model.channel->entry(x, y));
    }
  }
  // L = log(1 + (e^(1/2) - 1)/(3/5)) is below the delta of c0, so c0 may have all of it:
  // c = (L, 1/2 - log(1 + (e^L - 1)/20), L).
  const Spec turned = with(R"j({"c0": "3/5", "c1": "1/20"})j");
  CHECK(turned.notes == std::vector<std::string>{"bcdp_mean: constants c (the CDP levels are at most these): c0 "
                                                 "0.732946, c1 0.447351, c2 0.732946; LDP level 0.732946"});
}
