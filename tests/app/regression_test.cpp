// Least squares from two copies: second moments are exactly unbiased, and the regression built on them.

#include <doctest/doctest.h>
#include <algorithm>
#include <cmath>

#include "api/api.h"
#include "app/regression.h"
#include "app/theory.h"
#include "tests/support/families.h"

using namespace oddsbound;
using oddsbound::testing::kPair;
using oddsbound::testing::read_example;
using oddsbound::testing::signs;

namespace {

const std::string kTriple = R"j([{"name": "a", "size": 2}, {"name": "b", "size": 2}, {"name": "l", "size": 2}])j";

std::string two_copies(const std::string& delta, const std::string& q, const std::string& zeta) {
  return R"j({"type": "bcdp_mean", "delta": )j" + delta + R"j(, "epsilon": "3", "q": ")j" + q + R"j(", "zeta": ")j" +
         zeta + R"j(", "copies": 2})j";
}

// E[first_i second_j] at input x, exactly.
Number expected_product(const Spec& spec, const Estimator& first, const Estimator& second, std::uint64_t x,
                        std::uint64_t i, std::uint64_t j) {
  const Channel& channel = *spec.model.channel;
  std::vector<WeightedTerm> terms;
  for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
    const auto output = channel.split(y);
    terms.push_back({channel.entry(x, y), first.weight(i, output) * second.weight(j, output)});
  }
  return weighted_sum(terms);
}

// Each output `36 * P(output given x)` times.
CollectedOutputs likely_outputs(const Spec& spec, std::uint64_t x) {
  CollectedOutputs collected;
  const Channel& channel = *spec.model.channel;
  for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
    std::int64_t times = 0;
    REQUIRE((channel.entry(x, y) * Number(36)).fits_int64(times));
    collected.counts[channel.split(y)] = static_cast<std::uint64_t>(times);
    collected.total += static_cast<std::uint64_t>(times);
  }
  return collected;
}

}  // namespace

TEST_CASE(
    "the product of what two copies say is unbiased, of each with itself as well; one copy's with itself is not") {
  for (const std::string& mechanism :
       {two_copies(R"j("log(9)")j", "0", "1/2"), two_copies(R"j({"a": "1", "b": "2"})j", "1/20", "1/2")}) {
    Budget budget;
    const Spec spec = read_example(kPair, mechanism, budget);
    const auto& copies = spec.mechanism.copies;
    REQUIRE(copies.size() == 2);
    for (std::uint64_t x = 0; x < 4; ++x) {
      for (std::uint64_t i = 0; i < 2; ++i) {
        for (std::uint64_t j = 0; j < 2; ++j) {
          const Number truth = copies[0]->truth(i, x) * copies[0]->truth(j, x);
          CHECK(expected_product(spec, *copies[0], *copies[1], x, i, j) == truth);
          CHECK((expected_product(spec, *copies[0], *copies[0], x, i, j) == truth) == false);
        }
      }
    }
  }
}

TEST_CASE("the errors of two copies are independent: the square of their product is r^4 (BCDP paper, Lemma 1)") {
  Budget budget;
  const Spec spec = read_example(kPair, two_copies(R"j({"a": "1", "b": "2"})j", "1/20", "1/2"), budget);
  const Channel& channel = *spec.model.channel;
  for (std::uint64_t x = 0; x < 4; ++x) {
    const auto square = [&](std::size_t copy, std::span<const std::uint64_t> output) {
      Number sum(0);
      for (std::size_t i = 0; i < 2; ++i) {
        const Number error = spec.mechanism.copies[copy]->weight(i, output) - spec.mechanism.copies[copy]->truth(i, x);
        sum += error * error;
      }
      return sum;
    };
    Number first(0), second(0), both(0);
    for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
      const auto output = channel.split(y);
      first += channel.entry(x, y) * square(0, output);
      second += channel.entry(x, y) * square(1, output);
      both += channel.entry(x, y) * square(0, output) * square(1, output);
    }
    CHECK(first == second);
    CHECK(both == first * first);
    CHECK(first.sign() > 0);
  }
}

TEST_CASE("one copy's error times the truth has a mean square of d r^2 at most, where Theorem 3 says (r d)^2") {
  Budget budget;
  for (const std::size_t d : {2u, 3u}) {
    const Spec spec =
        read_example(signs(static_cast<int>(d)), R"j({"type": "duchi_hypercube", "epsilon": "1"})j", budget);
    const Channel& channel = *spec.model.channel;
    const Estimator& estimator = *spec.mechanism.estimator;
    for (std::uint64_t x = 0; x < channel.inputs(); ++x) {
      Number r_squared(0), product(0);  // E |z' - z|^2, and E of the sum of squares of (z' - z) z^T
      for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
        const auto output = channel.split(y);
        for (std::size_t i = 0; i < d; ++i) {
          const Number error = estimator.weight(i, output) - estimator.truth(i, x);
          r_squared += channel.entry(x, y) * error * error;
          for (std::size_t j = 0; j < d; ++j) {
            const Number cell = error * estimator.truth(j, x);
            product += channel.entry(x, y) * cell * cell;
          }
        }
      }
      const Number dimension(static_cast<std::int64_t>(d));
      CHECK(product == dimension * r_squared);
      CHECK(product < dimension * dimension * r_squared);
    }
  }
}

TEST_CASE("second moments from outputs that are as frequent as likely are those of the inputs") {
  Budget budget;
  // One step on both coordinates, each copy at log(9)/2: the true vector has probability 1/2, the three others 1/6
  // each.
  const Spec spec = read_example(kPair, two_copies(R"j("log(9)")j", "0", "1/2"), budget);
  for (std::uint64_t x = 0; x < 4; ++x) {
    const app::SymmetricMatrix moments = app::second_moments(spec, likely_outputs(spec, x), budget);
    const double product = x == 0 || x == 3 ? 1 : -1;
    CHECK(moments.at(0, 0) == doctest::Approx(1));
    CHECK(moments.at(1, 1) == doctest::Approx(1));
    CHECK(moments.at(0, 1) == doctest::Approx(product));
    CHECK(moments.at(1, 0) == doctest::Approx(product));
  }
}

TEST_CASE("copies share the levels: steps multiplied up are never above those of one answer, and hardly below") {
  Budget budget;
  for (const char* zeta : {"1/2", "best"}) {
    for (const int copies : {2, 3, 16}) {
      const std::string begin = R"j({"type": "bcdp_mean", "delta": {"a": "1", "b": "2"}, "epsilon": "2", "q": "0",
                                     "zeta": ")j" +
                                std::string(zeta) + "\"";
      const Spec one = read_example(kPair, begin + "}", budget);
      const Spec several = read_example(kPair, begin + ", \"copies\": " + std::to_string(copies) + "}", budget);
      REQUIRE(several.model.channel->factors().size() == 2 * static_cast<std::size_t>(copies));
      for (std::size_t k = 0; k < 2; ++k) {
        const auto ratio = [](const Factor& factor) {
          return factor.channel->entry(0, 0) / factor.channel->entry(0, 1);
        };
        const Number whole = ratio(one.model.channel->factors()[k]);
        const Number part = ratio(several.model.channel->factors()[k]);
        CHECK(part.is_rational());
        CHECK(part.pow(copies) <= whole);
        CHECK((part + Number::ratio(1, 1 << 20)).pow(copies) > whole);
      }
    }
  }
}

TEST_CASE("a prediction from collected answers") {
  Budget budget;
  const Spec spec = read_example(kTriple, two_copies(R"j("inf")j", "0", "1/2"), budget);
  const Text outputs{"output\n\"((1,1,1),(1,1,1))\"\n\"((0,0,0),(0,1,0))\"\n", "answers.csv"};
  const Expected<LeastSquaresResult> found = least_squares(spec, outputs, {{}, "l", 0.5});
  REQUIRE(found);
  CHECK(found->outputs == 2);
  CHECK(found->coefficients.size() == 2);
  CHECK(found->coefficients[1].feature == "b");
  CHECK(found->length <= 0.5 * (1 + 1e-12));
  for (const double radius : {0.0, -1.0, HUGE_VAL, std::nan("")}) {
    CHECK(least_squares(spec, outputs, {{}, "l", radius})
              .error()
              .text()
              .ends_with("the radius must be a number above 0"));
  }
  CHECK(least_squares(spec, outputs, {{}, "m", 1}).error().text().find("there is no coordinate 'm'") !=
        std::string::npos);
}

TEST_CASE("continuous answers in two copies: columns by copy, the same prediction as from their products by hand") {
  Budget budget;
  const Spec spec =
      read_example(R"j([{"name": "z", "values": ["-1", "0", "1"]}, {"name": "l", "values": ["-1", "1"]}])j",
                   R"j({"type": "bcdp_mean_l2", "delta": "1", "epsilon": "1", "q": "0", "zeta": "1/2",
                                      "copies": 2})j",
                   budget);
  CHECK(vector_columns(spec.model.domain, 2) == std::vector<std::string>{"z.1", "l.1", "z.2", "l.2"});
  // The mean of z1 z2 is (2*4 + 1*2)/2 = 5; the mean of (l1 z2 + l2 z1)/2 is ((1*4 + 3*2)/2 + (-1*2 + 0*1)/2)/2 =
  // 2.
  const Text outputs{"z.1,l.1,z.2,l.2\n2,1,4,3\n1,-1,2,0\n", "answers.csv"};
  const Expected<LeastSquaresResult> found = least_squares(spec, outputs, {{}, "l", 1});
  REQUIRE(found);
  CHECK(found->coefficients[0].value == doctest::Approx(0.4));
  CHECK(found->gain == doctest::Approx(0.4));
  CHECK(found->least_eigenvalue == doctest::Approx(5));
  const Expected<EstimateResult> means = estimate(spec, outputs);
  REQUIRE(means);
  CHECK(means->estimates[0].value == doctest::Approx(2.25));
}

TEST_CASE("Theorem 3 with constants bounds the expected excess of one person's prediction, by all answers") {
  Budget budget;
  for (const char* epsilon : {"1", "6"}) {
    const Spec spec =
        read_example(kPair,
                     R"j({"type": "bcdp_mean", "delta": ")j" + std::string(epsilon) + R"j(", "epsilon": ")j" + epsilon +
                         R"j(", "q": "0", "zeta": "1/2", "copies": 2})j",
                     budget);
    const Channel& channel = *spec.model.channel;
    for (const double radius : {0.25, 1.0, 3.0}) {
      const auto bounds = app::theory_of_prediction(spec, 1, radius, 1);
      REQUIRE(bounds.size() == 2);
      CHECK_FALSE(bounds[0].has_constant);
      CHECK(bounds[1].has_constant);
      for (std::uint64_t x = 0; x < 4; ++x) {
        const double z = spec.mechanism.copies[0]->truth(0, x).approx(),
                     l = spec.mechanism.copies[0]->truth(1, x).approx();
        double excess = 0;
        const double best = std::clamp(l / z, -radius, radius);
        for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
          const auto output = channel.split(y);
          CollectedOutputs one;
          one.counts[output] = 1;
          one.total = 1;
          const app::SymmetricMatrix moments = app::second_moments(spec, one, budget);
          const double a = moments.at(0, 0), b = moments.at(0, 1);
          // The best coefficient in [-radius, radius]: an end, or where the slope is 0.
          double theta = -radius;
          const auto value = [&](double t) { return a * t * t / 2 - b * t; };
          if (value(radius) < value(theta)) theta = radius;
          if (a > 0 && std::abs(b / a) <= radius) theta = b / a;
          const auto loss = [&](double t) { return (t * z - l) * (t * z - l) / 2; };
          excess += channel.entry(x, y).approx() * (loss(theta) - loss(best));
        }
        CHECK(excess <= bounds[1].value);
        CHECK(excess >= 0);
      }
    }
  }
}

TEST_CASE("a prediction in a ball around a center, in a box, or with weights; contradictions are refused") {
  Budget budget;
  const Spec spec = read_example(
      R"j([{"name": "z", "values": ["-1", "0", "1"]}, {"name": "w", "values": ["-1", "0", "1"]},
                        {"name": "l", "values": ["-1", "1"]}])j",
      R"j({"type": "bcdp_mean_l2", "delta": "1", "epsilon": "1", "q": "0", "zeta": "1/2", "copies": 2})j", budget);
  // Moments: z z 1, w w 1, z w 0; z l 1/2, w l -2. The minimum without bounds is (1/2, -2).
  const Text answers{
      "z.1,w.1,l.1,z.2,w.2,l.2\n1.4142135623730951,0,0.7071067811865476,1.4142135623730951,0,"
      "0.7071067811865476\n0,1.4142135623730951,-2.8284271247461903,0,1.4142135623730951,"
      "-2.8284271247461903\n",
      "answers.csv"};
  const auto found = [&](const EstimateOptions& options) {
    const Expected<LeastSquaresResult> result = least_squares(spec, answers, options);
    REQUIRE(result);
    return *result;
  };
  EstimateOptions options{{}, "l", 1};
  options.center = {{"w", -1.5}, {"z", 0}};
  const LeastSquaresResult around = found(options);
  CHECK(around.coefficients[0].value == doctest::Approx(0.5));
  CHECK(around.coefficients[1].value == doctest::Approx(-2));
  CHECK(around.length == doctest::Approx(std::sqrt(0.5)));
  CHECK(around.gain == doctest::Approx(0.125 + 2));
  options.center = {{"w", 4}};
  const LeastSquaresResult far = found(options);  // on the sphere, toward (1/2, -2) from (0, 4)
  const double away = std::hypot(0.5, 6.0);
  CHECK(far.coefficients[0].value == doctest::Approx(0.5 / away));
  CHECK(far.coefficients[1].value == doctest::Approx(4 - 6 / away));
  CHECK(far.gain < 0);
  options.center.clear();
  options.box = {{"w", {-1, 0}}, {"", {-3, 0.25}}};
  const LeastSquaresResult box = found(options);
  CHECK(box.coefficients[0].value == 0.25);
  CHECK(box.coefficients[1].value == -1);
  CHECK(box.coefficients[1].lower == -1);
  options.box.clear();
  options.simplex = true;
  options.theory = true;
  const LeastSquaresResult weights = found(options);
  CHECK(weights.coefficients[0].value == doctest::Approx(1));
  CHECK(weights.coefficients[1].value == doctest::Approx(0));
  REQUIRE(weights.theory.size() == 2);
  CHECK(weights.theory[1].value == app::theory_of_prediction(spec, 2, 1, 2)[1].value);
  const auto refused = [&](const auto& change) {
    EstimateOptions wrong{{}, "l", 1};
    change(wrong);
    const Expected<LeastSquaresResult> result = least_squares(spec, answers, wrong);
    return result ? std::string("accepted") : result.error().message;
  };
  using Options = EstimateOptions;
  CHECK(refused([](Options& o) {
          o.box = {{"", {-1, 1}}}, o.simplex = true;
        }).find("leave one out") != std::string::npos);
  CHECK(refused([](Options& o) {
          o.box = {{"", {-1, 1}}}, o.center = {{"z", 1}};
        }).find("leave one out") != std::string::npos);
  CHECK(refused([](Options& o) {
          o.simplex = true, o.center = {{"z", 1}};
        }).find("leave one out") != std::string::npos);
  CHECK(refused([](Options& o) {
          o.box = {{"z", {0, 1}}};
        }).find("no range for the coordinate 'w'") != std::string::npos);
  CHECK(refused([](Options& o) { o.box = {{"", {1, 0}}}; }).find("is not below it") != std::string::npos);
  CHECK(refused([](Options& o) { o.box = {{"", {0, 1}}, {"", {0, 2}}}; }).find("given twice") != std::string::npos);
  CHECK(refused([](Options& o) { o.box = {{"", {0, HUGE_VAL}}}; }).find("finite") != std::string::npos);
  CHECK(refused([](Options& o) { o.center = {{"l", 1}}; }).find("has no coefficient") != std::string::npos);
  CHECK(refused([](Options& o) { o.center = {{"zz", 1}}; }).find("there is no coordinate 'zz'") != std::string::npos);
  CHECK(refused([](Options& o) { o.center = {{"z", 1}, {"z", 1}}; }).find("given twice") != std::string::npos);
  CHECK(refused([](Options& o) { o.center = {{"z", std::nan("")}}; }).find("finite") != std::string::npos);
}

TEST_CASE("no prediction without two copies that tell all coordinates") {
  Budget budget;
  const auto refused = [&](const std::string& domain, const std::string& mechanism) {
    const Spec spec = read_example(domain, mechanism, budget);
    const Expected<LeastSquaresResult> found = least_squares(spec, Text{"output\n", "answers.csv"}, {{}, "b", 1});
    return !found && found.error().text().find("least squares needs answers in 2 copies") != std::string::npos;
  };
  const std::string end = R"j("delta": {"a": "log(9/4)", "b": "log(9)"}, "epsilon": "log(9)", "q": "1/4", "zeta": )j";
  CHECK(refused(kPair, R"j({"type": "duchi_hypercube", "epsilon": "1"})j"));
  CHECK(refused(kPair, R"j({"type": "bcdp_mean", )j" + end + "\"best\"}"));
  CHECK(refused(kPair, R"j({"type": "bcdp_mean", )j" + end + "\"best\", \"copies\": 3}"));
  // zeta = 1: no step sees a.
  CHECK(refused(kPair, R"j({"type": "bcdp_mean", )j" + end + "1, \"copies\": 2}"));
  const std::string values = R"j([{"name": "a", "values": ["-1", "1"]}, {"name": "b", "values": ["-1", "1"]}])j";
  CHECK(refused(values, R"j({"type": "bcdp_mean_l2", )j" + end + "1, \"copies\": 2}"));
  CHECK_FALSE(refused(values, R"j({"type": "bcdp_mean_l2", )j" + end + "\"1/2\", \"copies\": 2}"));
}
