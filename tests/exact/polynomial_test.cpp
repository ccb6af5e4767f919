// Powers of polynomials against repeated multiplication.

#include "verifier/exact/polynomial.h"

#include <doctest/doctest.h>

#include "base/errors.h"
#include "tests/support/random_model.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

std::vector<Number> times(const std::vector<Number>& a, const std::vector<Number>& b) {
  std::vector<Number> product(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) product[i + j] += a[i] * b[j];
  }
  return product;
}

}  // namespace

TEST_CASE("a power of a polynomial is the product of its copies") {
  Random random(51);
  Budget budget;
  for (int round = 0; round < 60; ++round) {
    std::vector<Number> coefficients;
    for (std::size_t k = 0; k < 1 + below(random, 5); ++k) {
      coefficients.push_back(Number::ratio(static_cast<std::int64_t>(below(random, 9)) - 3,
                                           1 + static_cast<std::int64_t>(below(random, 7))));
    }
    std::vector<Number> expected = coefficients;
    for (std::uint64_t n = 1; n <= 11; ++n) {
      CHECK(polynomial_power(coefficients, n, budget) == expected);
      expected = times(expected, coefficients);
    }
  }
}

TEST_CASE("the coefficients of (1 + x)^n / 2^n are binomial probabilities") {
  Budget budget;
  const std::vector<Number> half(2, Number::ratio(1, 2));
  const std::vector<Number> power = polynomial_power(half, 500, budget);
  REQUIRE(power.size() == 501);
  CHECK(power[0] == Number::ratio(1, 2).pow(500));
  CHECK(power[2] == Number(124750) * Number::ratio(1, 2).pow(500));
}

TEST_CASE("a power of too many digits reaches a limit before it is computed") {
  Budget budget;
  const std::vector<Number> third{Number::ratio(1, 3), Number::ratio(2, 3)};
  CHECK_THROWS_AS(polynomial_power(third, std::uint64_t{1} << 40, budget), LimitError);
}
