// Estimates of joint distributions of some coordinates, from the parts of a mechanism that see them.
#include "mechanisms/marginals.h"

#include <doctest/doctest.h>

#include "tests/support/effort.h"
#include "tests/support/families.h"
#include "tests/support/random_prior.h"

using namespace oddsbound;
using oddsbound::testing::kinds_of_priors;
using oddsbound::testing::kPair;
using oddsbound::testing::Random;
using oddsbound::testing::read_example;

namespace {

using Places = std::vector<std::size_t>;

const std::string kThreeCoordinates =
    R"j([{"name": "a", "size": 2}, {"name": "b", "size": 3}, {"name": "c", "size": 2}])j";
const std::string kAnswer = R"j({"type": "k_randomized_response", "epsilon": "log(3)"})j";

std::string on(const std::string& coordinates, const std::string& mechanism) {
  return R"j({"type": "on", "coordinates": [)j" + coordinates + R"j(], "mechanism": )j" + mechanism + "}";
}

mechanisms::Marginal marginal(const Spec& spec, const Places& coordinates, Budget& budget) {
  std::vector<MechanismPart> parts = spec.mechanism.parts;
  if (parts.empty()) {
    parts.push_back({spec.model.channel, spec.mechanism.estimator, {}});
    for (std::size_t i = 0; i < spec.model.domain.size(); ++i) parts[0].coordinates.push_back(i);
  }
  return marginal_of(spec.model.domain, parts, coordinates, budget);
}

// Expectation of every estimate for inputs from the prior, by enumerating the outputs.
std::vector<Number> expectations(const Spec& spec, const Prior& prior, const Estimator& estimator) {
  const Channel& channel = *spec.model.channel;
  std::vector<Number> sums(estimator.targets(), Number(0));
  for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
    Number probability(0);
    for (std::uint64_t x = 0; x < channel.inputs(); ++x) probability += prior.probability(x) * channel.entry(x, y);
    for (std::uint64_t j = 0; j < sums.size(); ++j) sums[j] += probability * estimator.weight(j, channel.split(y));
  }
  return sums;
}

std::vector<Number> shares(const Prior& prior, const Places& coordinates, Budget& budget) {
  std::vector<Number> result;
  const Prior marginal = prior.marginal(coordinates, budget);
  for (const Number& weight : marginal.dense(budget).weights) result.push_back(weight / marginal.total());
  return result;
}

const std::vector<Places> kSubsets{{0}, {1}, {2}, {0, 1}, {1, 0}, {0, 2}, {2, 1}, {0, 1, 2}, {2, 0, 1}};

}  // namespace

TEST_CASE("what is expected of joint shares is what the prior says, exactly, whatever the parts see") {
  const std::string flips = R"j({"type": "repeat", "times": 2, "mechanism": )j" + kAnswer + "}";
  const std::vector<std::pair<std::string, std::size_t>> mechanisms{
      // Each with the number of subsets that can be estimated.
      {R"j({"type": "per_coordinate", "mechanisms": {"a": )j" + kAnswer + R"j(, "c": )j" + kAnswer + "}}", 3},
      {R"j({"type": "per_coordinate", "mechanisms": {"a": )j" + kAnswer + R"j(, "b": {"type": "unary_encoding",
         "epsilon": "log(4)"}, "c": )j" +
           flips + "}}",
       9},
      // Two attributes in one part, the third in another, and one of the two again.
      {R"j({"type": "compose", "mechanisms": [)j" + on(R"("b", "a")", kAnswer) + "," + on(R"("c")", kAnswer) + "," +
           on(R"("a")", kAnswer) + "]}",
       9},
      {R"j({"type": "compose", "mechanisms": [)j" + on(R"("a", "b")", kAnswer) + "," + on(R"("b", "c")", kAnswer) +
           "]}",
       9},
      {kAnswer, 9},
      {R"j({"type": "repeat", "times": 2, "mechanism": )j" + kAnswer + "}", 9},
      // A part without a closed form, and one nested in another.
      {R"j({"type": "compose", "mechanisms": [)j" +
           on(R"("c", "a")", R"j({"type": "per_coordinate", "mechanisms": {"a": )j" + kAnswer + "}}") + "," +
           on(R"("b")", R"j({"type": "matrix", "outputs": ["u", "v", "w", "z"], "rows": [["1/2", "1/4", "1/4", 0],
              ["1/4", "1/2", 0, "1/4"], [0, "1/4", "1/2", "1/4"]]})j") +
           "]}",
       4},
  };
  Random random(3);
  for (const auto& [mechanism, expected] : mechanisms) {
    CAPTURE(mechanism);
    Budget budget;
    const Spec spec = read_example(kThreeCoordinates, mechanism, budget);
    std::size_t told = 0;
    for (const Places& coordinates : kSubsets) {
      const mechanisms::Marginal found = marginal(spec, coordinates, budget);
      CHECK((found.estimator == nullptr) == !found.missing.empty());
      if (!found.estimator) continue;
      ++told;
      std::string where;
      CHECK(is_unbiased(found, budget, where) == true);
      for (const auto& kind : kinds_of_priors()) {
        const Prior prior = kind.make(random, spec.model.domain);
        CHECK(expectations(spec, prior, *found.estimator) == shares(prior, coordinates, budget));
        CHECK(mean_squared_error(found, spec.model.domain, prior, Number(7), budget) ==
              mean_squared_error(*found.estimator, *spec.model.channel, prior, Number(7), budget));
        if (oddsbound::testing::kInstrumented) break;
      }
    }
    CHECK(told == expected);
  }
}

TEST_CASE("by hand: weights of a pair of answers, and of two answers to one question") {
  // At log(3) an answer has weight 3/2 for its own value and -1/2 for the other.
  Budget budget;
  const Spec pair = read_example(
      kPair, R"j({"type": "per_coordinate", "mechanisms": {"a": )j" + kAnswer + R"j(, "b": )j" + kAnswer + "}}",
      budget);
  const std::vector<std::uint64_t> same{0, 0}, other{1, 0};
  const mechanisms::Marginal both = marginal(pair, {0, 1}, budget);
  CHECK(both.estimator->target(0) == "(0,0)");
  CHECK(both.estimator->weight(0, same) == Number::ratio(9, 4));
  CHECK(both.estimator->weight(0, other) == Number::ratio(-3, 4));
  CHECK(both.estimator->weight(2, other) == Number::ratio(9, 4));
  const mechanisms::Marginal second = marginal(pair, {1}, budget);
  CHECK(second.estimator->target(1) == "1");
  CHECK(second.estimator->weight(0, other) == Number::ratio(3, 2));
  const Spec twice = read_example(R"j([{"name": "x", "size": 2}])j",
                                  R"j({"type": "repeat", "times": 2, "mechanism": )j" + kAnswer + "}", budget);
  const mechanisms::Marginal average = marginal(twice, {0}, budget);
  CHECK(average.estimator->weight(0, same) == Number::ratio(3, 2));
  CHECK(average.estimator->weight(0, other) == Number::ratio(1, 2));
  // A single answer of a fair input has variance 1 in each of the two proportions. Given the input, each of two
  // answers has variance 3/4, so their average has 3/8; the input itself adds 1/4.
  CHECK(mean_squared_error(average, twice.model.domain, Prior::uniform(twice.model.domain), Number(10), budget) ==
        Number::ratio(1, 8));
}

TEST_CASE("of a mechanism that tells one coordinate and hides another one, one can be estimated") {
  Budget budget;
  const Spec spec = read_example(
      kPair, R"j({"type": "matrix", "outputs": ["y", "n"], "rows": [["3/4", "1/4"], ["3/4", "1/4"], ["1/4", "3/4"],
                  ["1/4", "3/4"]]})j",
      budget);
  const mechanisms::Marginal first = marginal(spec, {0}, budget);
  REQUIRE(first.estimator);
  const std::vector<std::uint64_t> yes{0};
  CHECK(first.estimator->weight(0, yes) == Number::ratio(3, 2));
  CHECK(marginal(spec, {1}, budget).missing == Places{1});
  CHECK(marginal(spec, {0, 1}, budget).missing == Places{1});
  CHECK(least_squares_estimator(spec.model.domain, *spec.model.channel, budget) == nullptr);
}

TEST_CASE("bits that identify a coordinate together are estimated from, between other parts") {
  const auto bit = [](const std::string& values) {
    return R"j({"type": "cases", "outputs": ["0", "1"], "cases": [{"when": {"b": [)j" + values +
           R"j(]}, "then": {"1": "3/4", "0": "1/4"}}, {"when": {}, "then": {"1": "1/4", "0": "3/4"}}]})j";
  };
  const std::string mechanism = R"j({"type": "compose", "mechanisms": [)j" + on(R"("b")", bit(R"("0")")) + "," +
                                on(R"("a")", kAnswer) + "," + on(R"("b")", bit(R"("1")")) + "]}";
  Budget budget;
  const Spec spec = read_example(kThreeCoordinates, mechanism, budget);
  const Prior prior = Prior::uniform(spec.model.domain);
  for (const Places& coordinates : {Places{1}, Places{0, 1}, Places{1, 0}}) {
    const mechanisms::Marginal found = marginal(spec, coordinates, budget);
    REQUIRE(found.estimator);
    CHECK(expectations(spec, prior, *found.estimator) == shares(prior, coordinates, budget));
    std::string where;
    CHECK(is_unbiased(found, budget, where) == true);
    const auto error = mean_squared_error(found, spec.model.domain, prior, Number(1), budget);
    REQUIRE(error);
    CHECK(*error == mean_squared_error(*found.estimator, *spec.model.channel, prior, Number(1), budget));
  }
  CHECK(!marginal(spec, {2}, budget).estimator);
}
