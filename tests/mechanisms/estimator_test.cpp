#include "mechanisms/estimator.h"

#include <doctest/doctest.h>

#include <cmath>

#include "mechanisms/additive_estimator.h"
#include "mechanisms/duchi.h"
#include "mechanisms/mechanism.h"
#include "tests/support/families.h"

using namespace oddsbound;
using oddsbound::testing::finite_examples;
using oddsbound::testing::read_example;
using oddsbound::testing::sized;

namespace {

// E[(estimate - truth)^2], summed over the targets, by enumerating every sequence of n inputs and outputs.
Number brute_force_error(const Estimator& estimator, const Channel& channel, const Prior& prior, int n) {
  const std::uint64_t outputs = channel.outputs();
  std::vector<Number> share;  // P(output)
  for (std::uint64_t y = 0; y < outputs; ++y) {
    Number sum(0);
    for (std::uint64_t x = 0; x < channel.inputs(); ++x) sum += prior.probability(x) * channel.entry(x, y);
    share.push_back(sum);
  }
  Number total(0);
  for (std::uint64_t j = 0; j < estimator.targets(); ++j) {
    Number truth(0);
    for (std::uint64_t x = 0; x < channel.inputs(); ++x) truth += prior.probability(x) * estimator.truth(j, x);
    std::uint64_t sequences = 1;
    for (int i = 0; i < n; ++i) sequences *= outputs;
    for (std::uint64_t s = 0; s < sequences; ++s) {
      Number probability(1);
      Number estimate(0);
      std::uint64_t rest = s;
      for (int i = 0; i < n; ++i, rest /= outputs) {
        probability *= share[rest % outputs];
        estimate += estimator.weight(j, channel.split(rest % outputs));
      }
      const Number error = estimate / Number(n) - truth;
      total += probability * error * error;
    }
  }
  return total;
}

}  // namespace

TEST_CASE("the mean squared error is what a walk over all outputs gives") {
  for (const auto& example : finite_examples()) {
    Budget budget;
    const Spec spec = read_example(example.domain, example.mechanism, budget);
    if (!spec.mechanism.estimator || spec.model.channel->outputs() > 16) continue;
    std::vector<Number> weights;
    for (std::uint64_t x = 0; x < spec.model.domain.inputs(); ++x)
      weights.emplace_back(static_cast<std::int64_t>(x + 1));
    const Prior prior = Prior::from_weights(spec.model.domain, weights, budget);
    CHECK_MESSAGE(mean_squared_error(*spec.mechanism.estimator, *spec.model.channel, prior, Number(2), budget) ==
                      brute_force_error(*spec.mechanism.estimator, *spec.model.channel, prior, 2),
                  example.mechanism);
  }
}

TEST_CASE("by hand: Warner's estimator with log 3 and fair inputs") {
  // Weights 3/2 and -1/2, each output with probability 1/2: variance 1 for each of two targets, so 2 / n in total.
  Budget budget;
  const Spec spec = read_example(R"j([{"name": "x", "size": 2}])j",
                                 R"j({"type": "k_randomized_response", "epsilon": "log(3)"})j", budget);
  const Prior prior = Prior::uniform(spec.model.domain);
  const std::vector<std::uint64_t> first{0}, second{1};
  CHECK(spec.mechanism.estimator->weight(0, first) == Number::ratio(3, 2));
  CHECK(spec.mechanism.estimator->weight(0, second) == Number::ratio(-1, 2));
  CHECK(mean_squared_error(*spec.mechanism.estimator, *spec.model.channel, prior, Number(10), budget) ==
        Number::ratio(1, 5));
}

TEST_CASE("a level of zero leaves no estimator, and dependent rows none by least squares") {
  for (const char* mechanism :
       {R"j({"type": "k_randomized_response", "epsilon": "0"})j", R"j({"type": "hadamard_response", "epsilon": "0"})j",
        R"j({"type": "unary_encoding", "epsilon": "0"})j", R"j({"type": "rappor", "f": 1, "p": "1/4", "q": "3/4"})j"}) {
    Budget budget;
    const Spec spec = read_example(R"j([{"name": "x", "size": 3}])j", mechanism, budget);
    CHECK(spec.mechanism.estimator == nullptr);
    CHECK(least_squares_estimator(spec.model.domain, *spec.model.channel, budget) == nullptr);
  }
}

TEST_CASE("an estimator that is off is said to be biased, and where") {
  Budget budget;
  const Spec right = read_example(R"j([{"name": "x", "size": 3}])j",
                                  R"j({"type": "k_randomized_response", "epsilon": "log(3)"})j", budget);
  const Spec other = read_example(R"j([{"name": "x", "size": 3}])j",
                                  R"j({"type": "k_randomized_response", "epsilon": "log(4)"})j", budget);
  std::string where;
  CHECK_FALSE(is_unbiased(*right.mechanism.estimator, *other.model.channel, budget, where));
  CHECK(where == "target 0 at input 0: the expected weight is 7/6, not 1");
}

TEST_CASE("Proposition 5 of the context-aware paper bounds the block scheme's error") {
  // E[l2^2] <= 12 max k_i / n ((e + 1)/(e - 1))^2 for any distribution, checked against exact errors.
  for (const char* epsilon : {"1", "log(3)", "1/4"}) {
    Budget budget;
    const Spec spec =
        read_example(R"j([{"name": "x", "size": 5}])j",
                     R"j({"type": "block_hadamard_response", "blocks": [[["0"], ["1"], ["2"]], [["3"], ["4"]]],
                                        "epsilon": ")j" +
                         std::string(epsilon) + "\"}",
                     budget);
    const Number e = epsilon == std::string("log(3)")
                         ? Number(3)
                         : Number::exp_of(epsilon == std::string("1") ? Number(1) : Number::ratio(1, 4));
    const Number gain = (e + Number(1)) / (e - Number(1));
    for (std::int64_t heavy = 0; heavy < 5; ++heavy) {
      std::vector<Number> weights(5, Number(1));
      weights[static_cast<std::size_t>(heavy)] = Number(50);
      const Prior prior = Prior::from_weights(spec.model.domain, weights, budget);
      const Number error = mean_squared_error(*spec.mechanism.estimator, *spec.model.channel, prior, Number(1), budget);
      CHECK(error <= Number(36) * gain * gain);
      CHECK(error > Number(0));
    }
  }
}

TEST_CASE("Proposition 4 of the context-aware paper bounds the high-low scheme's error") {
  // (26): E[l2^2] <= (3 s g^2 + g) / n with g = (e + 1)/(e - 1) and s sensitive inputs, checked against exact errors.
  Budget budget;
  const Spec spec = read_example(R"j([{"name": "x", "size": 5}])j",
                                 R"j({"type": "high_low_hadamard_response", "sensitive": [["1"], ["4"]],
                                      "epsilon": "1/2"})j",
                                 budget);
  const Number e = Number::exp_of(Number::ratio(1, 2));
  const Number gain = (e + Number(1)) / (e - Number(1));
  for (std::size_t heavy = 0; heavy < 5; ++heavy) {
    std::vector<Number> weights(5, Number(1));
    weights[heavy] = Number(50);
    const Prior prior = Prior::from_weights(spec.model.domain, weights, budget);
    CHECK(mean_squared_error(*spec.mechanism.estimator, *spec.model.channel, prior, Number(1), budget) <=
          Number(6) * gain * gain + gain);
  }
}

TEST_CASE("(17) of the context-aware paper has k/n under the root, as (27) has: beside it, as printed, it is false") {
  constexpr std::uint64_t kSymbols = 400, kPeople = 1'000'000;
  Budget budget;
  const Spec spec = read_example(
      sized(kSymbols), R"j({"type": "high_low_hadamard_response", "sensitive": [["0"]], "epsilon": "1"})j", budget);
  // The last symbol has an output of its own. Its estimate is the frequency of that output divided by its
  // probability. For a uniform population, the mean absolute deviation is de Moivre's formula.
  const double chance = spec.model.channel->entry(kSymbols - 1, spec.model.channel->outputs() - 1).approx();
  const double n = kPeople, q = chance / kSymbols, m = std::floor(n * q);
  const double off = 2 * std::exp(std::lgamma(n + 1) - std::lgamma(m + 1) - std::lgamma(n - m) + (m + 1) * std::log(q) +
                                  (n - m) * std::log1p(-q));
  const double error = (kSymbols - 1) * off / n / chance / 2;  // total variation over the nonsensitive symbols
  const double g = (std::exp(1) + 1) / (std::exp(1) - 1);
  CHECK(chance == doctest::Approx(1 / g));
  CHECK(error > std::sqrt(3 * g * g / n) + std::sqrt(g) * kSymbols / n);
  CHECK(error < std::sqrt(3 * g * g / n) + std::sqrt(g * kSymbols / n));
}

TEST_CASE("the corrected radius of the l2 ball makes the output's mean the input") {
  // One coordinate: B = r (e + 1)/(e - 1), and the mean is B (2 P(K) - 1)(2 P(S) - 1) = v.
  const Level level = Level::of_exponential(Number(3));
  CHECK(BallDraw(1, 1.5, level).length() == doctest::Approx(3.0));
  for (const std::size_t d : {1U, 2U, 3U, 10U}) {
    const BallDraw ball(d, 1, level);
    std::vector<double> input(d, 0.5 / std::sqrt(static_cast<double>(d)));
    std::vector<double> output(d), sum(d);
    SeededSource source(5, d, 0);
    constexpr int kDraws = 200'000;
    for (int i = 0; i < kDraws; ++i) {
      ball(input, source, output);
      double square = 0;
      for (std::size_t j = 0; j < d; ++j) {
        sum[j] += output[j] / kDraws;
        square += output[j] * output[j];
      }
      if (i % 1000 == 0) CHECK(std::sqrt(square) == doctest::Approx(ball.length()));
    }
    const double error = ball.length() / std::sqrt(static_cast<double>(kDraws) * static_cast<double>(d));
    for (std::size_t j = 0; j < d; ++j) CHECK(std::abs(sum[j] - input[j]) < 6 * error);
  }
}

TEST_CASE("a sum over parts estimates shares, with the error of a list of all outputs") {
  const std::string parts = R"j({"type": "compose", "mechanisms": [
      {"type": "matrix", "outputs": 3, "rows": [["1/2", "1/4", "1/4"], ["1/3", "1/3", "1/3"], ["0", "1/2", "1/2"]]},
      {"type": "matrix", "outputs": 2, "rows": [["1/5", "4/5"], ["1/2", "1/2"], ["3/5", "2/5"]]},
      {"type": "matrix", "outputs": 2, "rows": [["1/2", "1/2"], ["1/2", "1/2"], ["1/2", "1/2"]]}]})j";
  for (const std::string& mechanism :
       {std::string(R"j({"type": "unary_encoding", "epsilon": "1"})j"), parts,
        std::string(
            R"j({"type": "longitudinal_unary_encoding", "epsilon": "log(9)", "first": "log(2)", "times": 2})j")}) {
    CAPTURE(mechanism);
    Budget budget;
    const Spec spec = oddsbound::testing::read_example(oddsbound::testing::kThree, mechanism, budget);
    const Channel& channel = *spec.model.channel;
    REQUIRE(mechanisms::has_whole_parts(spec.model.domain, channel));
    CHECK_FALSE(mechanisms::has_equal_inputs(channel, budget));
    const auto additive = mechanisms::additive_estimator(spec.model.domain, channel, budget);
    REQUIRE(additive);
    std::string where;
    CHECK_MESSAGE(additive->is_unbiased(budget, where), where);
    CHECK_MESSAGE(is_unbiased(*additive, channel, budget, where), where);
    const Prior prior = Prior::from_weights(spec.model.domain, {Number(1), Number(2), Number(4)}, budget);
    CHECK(additive->mean_squared_error(prior, Number(10), budget) ==
          mean_squared_error(*additive, channel, prior, Number(10), budget));
  }
  Budget budget;
  const Spec equal = oddsbound::testing::read_example(oddsbound::testing::kThree, R"j({"type": "repeat", "times": 2,
      "mechanism": {"type": "matrix", "outputs": 2, "rows": [["1/2", "1/2"], ["1/4", "3/4"], ["1/2", "1/2"]]}})j",
                                                      budget);
  CHECK(mechanisms::has_equal_inputs(*equal.model.channel, budget));
  CHECK(mechanisms::additive_estimator(equal.model.domain, *equal.model.channel, budget) == nullptr);
}
