// The exact levels that docs/mechanisms.md states.
#include <doctest/doctest.h>

#include "tests/support/families.h"
#include "verifier/exact/expression.h"
#include "verifier/notions/bcdp.h"
#include "verifier/notions/cdp.h"
#include "verifier/notions/ldp.h"

using namespace oddsbound;
using oddsbound::testing::read_example;
using oddsbound::testing::signs;
using oddsbound::testing::sized;

namespace {

Level ldp_of(const std::string& domain, const std::string& mechanism) {
  Budget budget;
  const Spec spec = read_example(domain, mechanism, budget);
  MeasuredModel subject(spec.model, budget);
  return ldp_level(subject).at_least;
}

}  // namespace

TEST_CASE("families with an LDP level have exactly that one") {
  for (const char* epsilon : {"1", "log(3)", "2*log(2)", "1/4", "inf", "0"}) {
    for (const char* family : {"k_randomized_response", "hadamard_response", "subset_selection", "unary_encoding"}) {
      for (const int k : {2, 3, 5, 7}) {
        CAPTURE(std::string(family));
        CHECK(ldp_of(sized(k), R"j({"type": ")j" + std::string(family) + R"j(", "epsilon": ")j" + epsilon + "\"}") ==
              parse_level(epsilon));
      }
    }
    for (const int d : {1, 2, 3, 4, 5}) {
      CHECK(ldp_of(signs(d), R"j({"type": "duchi_hypercube", "epsilon": ")j" + std::string(epsilon) + "\"}") ==
            parse_level(epsilon));
    }
    CHECK(ldp_of(sized(4), R"j({"type": "optimized_local_hashing", "buckets": 2, "epsilon": ")j" +
                               std::string(epsilon) + "\"}") == parse_level(epsilon));
    CHECK(ldp_of(sized(4), R"j({"type": "truncated_geometric", "epsilon": ")j" + std::string(epsilon) + "\"}") ==
          parse_level(epsilon).times(3));
  }
}

TEST_CASE("symmetric unary encoding and RAPPOR by their formulas") {
  CHECK(ldp_of(sized(3), R"j({"type": "unary_encoding", "variant": "symmetric", "epsilon": "2*log(3)"})j") ==
        parse_level("log(9)"));
  CHECK(ldp_of(sized(3), R"j({"type": "unary_encoding", "variant": "symmetric", "epsilon": "1"})j") ==
        parse_level("1"));
  // f = 1/2, p = 1/4, q = 3/4: a = 5/8, b = 3/8, (a (1 - b)) / (b (1 - a)) = 25/9.
  CHECK(ldp_of(sized(3), R"j({"type": "rappor", "f": "1/2", "p": "1/4", "q": "3/4"})j") == parse_level("log(25/9)"));
  // f = 0, p = 0: the bit of another input is never 1.
  CHECK(ldp_of(sized(3), R"j({"type": "rappor", "f": 0, "p": 0, "q": "3/4"})j").is_infinite());
}

TEST_CASE("what is kept bounds what any number of its reports shows") {
  const auto memoized = [](int times) {
    return ldp_of(sized(2),
                  R"j({"type": "memoized", "permanent": {"type": "k_randomized_response", "epsilon": "log(3)"},
                                 "report": {"type": "k_randomized_response", "epsilon": "log(3/2)"}, "times": )j" +
                      std::to_string(times) + "}");
  };
  // All reports equal: (3/4 3^n + 1/4 2^n) / (1/4 3^n + 3/4 2^n), multiplied by 5^n above and below.
  for (const int times : {1, 2, 5, 20, 100}) {
    const Number three = Number(3).pow(times), two = Number(2).pow(times);
    CHECK(memoized(times) == Level::of_exponential((Number(3) * three + two) / (three + Number(3) * two)));
    CHECK(memoized(times) < parse_level("log(3)"));
  }
  CHECK(memoized(2) == parse_level("log(31/21)"));
}

TEST_CASE("many reports of RAPPOR show two of the bits that are kept, and no more") {
  const auto rappor = [](const std::string& times) {
    return ldp_of(sized(4), R"j({"type": "rappor", "f": "1/2", "p": "1/2", "q": "3/4")j" + times + "}");
  };
  CHECK(rappor(R"j(, "times": 1)j") == rappor(""));
  // Permanent response: odds 3 for the bit of the input, 1/3 for the others.
  CHECK(rappor(R"j(, "times": 5)j") < rappor(R"j(, "times": 100)j"));
  CHECK(rappor(R"j(, "times": 100)j") < parse_level("2*log(3)"));
  CHECK(parse_level("2*log(3) - 1/1000000") < rappor(R"j(, "times": 100)j"));
}

TEST_CASE("unary encoding of many inputs is measured without its 2^k outputs") {
  CHECK(ldp_of(sized(200), R"j({"type": "unary_encoding", "epsilon": "1"})j") == parse_level("1"));
}

TEST_CASE("the exponential mechanism never exceeds its level") {
  CHECK(ldp_of(sized(2),
               R"j({"type": "exponential_mechanism", "epsilon": "1", "outputs": 2, "utility": [[3, 0], [0, 3]]})j") ==
        parse_level("1/2"));  // both rows have the same normalization, so half of the factor 2 is unused
  CHECK(ldp_of(sized(3), R"j({"type": "exponential_mechanism", "epsilon": "2", "outputs": 3, "sensitivity": 3,
                              "utility": [[0, 1, 2], ["1/2", 1, 0], [3, 3, 0]]})j") <= parse_level("2"));
}

TEST_CASE("permute-and-flip with two outputs releases the better one with probability 1 - q/2") {
  // q = 1/2: probabilities 3/4 and 1/4.
  CHECK(ldp_of(sized(2),
               R"j({"type": "permute_and_flip", "epsilon": "log(4)", "outputs": 2, "utility": [[1, 0], [0, 1]]})j") ==
        parse_level("log(3)"));
  // Three outputs, q = 1/2 for two of them: 1 - q + q^2/3 = 7/12 and q/2 - q^2/6 = 5/24.
  CHECK(ldp_of(sized(3), R"j({"type": "permute_and_flip", "epsilon": "log(4)", "outputs": 3,
                              "utility": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]})j") == parse_level("log(14/5)"));
}

TEST_CASE("clamped noise has 1/scale per step, wrapped noise no more") {
  CHECK(ldp_of(sized(4), R"j({"type": "discrete_laplace_clamped", "scale": 2, "least": -1, "greatest": 5})j") ==
        parse_level("3/2"));
  // Modulo 2, noise is even with probability proportional to 1 + a^2, odd with 2 a; a = exp(-1).
  CHECK(ldp_of(sized(2), R"j({"type": "discrete_laplace_wrapped", "scale": 1})j") ==
        parse_level("log((1 + exp(-2))/(2*exp(-1)))"));
  // Inputs 0 and 2 modulo 3 are one step apart.
  CHECK(ldp_of(sized(3), R"j({"type": "discrete_laplace_wrapped", "scale": 1})j") ==
        parse_level("log((1 + exp(-3))/(exp(-1) + exp(-2)))"));
}

TEST_CASE("bcdp_mean leaves out steps without budget") {
  // zeta = 1 spends all of delta_1 = log(3/2) on correlation: c_1 = 0, c_2 = log((3/2 - 3/4)/(1/4)) = log 3.
  Budget budget;
  const Spec spec = read_example(signs(2), R"j({"type": "bcdp_mean", "delta": {"c0": "log(3/2)", "c1": "log(4)"},
                                                "epsilon": "log(4)", "q": "1/4", "zeta": 1})j",
                                 budget);
  CHECK(output_labels(*spec.model.channel, budget) == std::vector<std::string>{"(-1)", "(1)"});
  CHECK(spec.model.channel->entry(0, 0) == Number::ratio(3, 4));
  CHECK(spec.mechanism.estimator == nullptr);  // nothing is published about c0
  const Spec silent = read_example(signs(2), R"j({"type": "bcdp_mean", "delta": "0", "epsilon": "1", "q": "1/4",
                                                  "zeta": 1})j",
                                   budget);
  CHECK(output_labels(*silent.model.channel, budget) == std::vector<std::string>{"()"});
}

TEST_CASE("bcdp_mean keeps the levels of Theorem 2 when q bounds the correlation") {
  // delta = (1/2, 3/4, 1), epsilon = 1, q = 2/5, zeta = 3/4: c_3 = log((e^(3/8) - 3/5)/(2/5)).
  const std::string mechanism =
      R"j({"type": "bcdp_mean", "delta": {"c0": "1", "c1": "1/2", "c2": "3/4"}, "epsilon": "1",
                                     "q": "2/5", "zeta": "3/4"})j";
  Budget budget;
  Spec spec = read_example(signs(3), mechanism, budget);
  // Correlation: a mixture with weight 2/5 on equal coordinates.
  std::vector<Number> weights(8, Number(3));
  weights[0] = weights[7] = Number(11);
  spec.model.prior = Prior::from_weights(spec.model.domain, weights, budget);
  MeasuredModel subject(spec.model, budget);
  const Level last = parse_level("log((exp(3/8) - 3/5)/(2/5))");
  CHECK(ldp_level(subject).at_least == last);
  const Level loss = parse_level("log(1 + 2/5*(exp(3/8) - 3/5)/(2/5) - 2/5)");
  CHECK(cdp_levels(subject)[1].at_least + loss == parse_level("1/2"));
  CHECK(cdp_levels(subject)[2].at_least + loss <= parse_level("3/4"));
  CHECK(bcdp_levels(subject)[0].at_least <= parse_level("1"));
  CHECK(bcdp_levels(subject)[1].at_least <= parse_level("1/2"));
  CHECK(bcdp_levels(subject)[2].at_least <= parse_level("3/4"));
}
