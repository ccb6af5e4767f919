// Sums of multiples of logarithms: which of them are levels.

#include <doctest/doctest.h>
#include <cmath>
#include <random>

#include "base/errors.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/level.h"

using namespace oddsbound;

namespace {

Number ratio(std::int64_t p, std::int64_t q) { return Number::ratio(p, q); }

}  // namespace

TEST_CASE("terms of one argument are one term, and those that cancel are none") {
  const Number e = Number::exp_of(Number(1));
  CHECK(collected({{ratio(1, 2), Number(3)}, {ratio(-1, 2), Number(3)}, {Number(2), Number(1)}}).empty());
  const auto sum = collected({{e, Number(1) + e}, {Number(1), Number(2)}, {-e, Number(1) + e}});
  REQUIRE(sum.size() == 1);
  CHECK(sum[0].argument == Number(2));
}

TEST_CASE("a sum is a level if integers without common factors come to rational powers") {
  const auto level = [](const std::vector<WeightedLog>& sum) { return level_of_sum(sum); };
  CHECK(level({{Number(1), Number(6)}, {Number(-1), Number(3)}}) == Level::of_exponential(Number(2)));
  CHECK(level({{ratio(1, 2), Number(4)}}) == Level::of_exponential(Number(2)));
  // sqrt(12) sqrt(3) = 6, though neither root is rational.
  CHECK(level({{ratio(1, 2), Number(12)}, {ratio(1, 2), Number(3)}}) == Level::of_exponential(Number(6)));
  CHECK(level({{ratio(1, 3), ratio(8, 27)}, {Number(1), Number(3)}}) == Level::of_exponential(Number(2)));
  CHECK(level({{ratio(3, 4), Number(3)}, {Number(-1), Number(2)}}) == std::nullopt);
  CHECK(level({{ratio(1, 2), Number(6)}, {ratio(1, 2), Number(10)}, {ratio(1, 2), Number(14)}}) == std::nullopt);
  CHECK(level({{Number(-1), Number(2)}}) == std::nullopt);
  CHECK(level({}) == Level());
  CHECK_THROWS_AS(level({{Number(1'000'000'000), Number(3)}}), LimitError);
}

// Random sums that equal a level by construction: level_of_sum recovers it.
TEST_CASE("random sums of what a level is made of give the level back") {
  std::mt19937_64 random(1948);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    Number exponential(1);
    std::vector<WeightedLog> sum;
    for (int k = 0; k < 4; ++k) {
      const Number a(static_cast<std::int64_t>(1 + random() % 40)), b(static_cast<std::int64_t>(1 + random() % 40));
      const auto degree = static_cast<std::int64_t>(1 + random() % 3);
      exponential *= a / b;
      // log(a/b) = (log((a/b)^degree c) - log c) / degree
      const Number c(static_cast<std::int64_t>(1 + random() % 40));
      sum.push_back({ratio(1, degree), (a / b).pow(degree) * c});
      sum.push_back({ratio(-1, degree), c});
    }
    const auto level = level_of_sum(collected(sum));
    if (exponential < Number(1)) {
      CHECK(level == std::nullopt);
    } else {
      CHECK(level == Level::of_exponential(exponential));
    }
    sum.push_back({ratio(1, 2), Number(41)});
    CHECK(level_of_sum(collected(sum)) == std::nullopt);
  }
}

TEST_CASE("decimals around a sum have as many digits as are asked for") {
  const std::vector<WeightedLog> sum{{ratio(3, 4), Number(3)}, {Number(-1), Number(2)}};
  const DecimalBounds few = decimal_bounds(sum), many = decimal_bounds(sum, 40);
  CHECK(few.lower == "0.13081203594113695");
  CHECK(few.upper == "0.13081203594113696");
  CHECK(many.lower.size() == 42);
  CHECK(many.lower.starts_with("0.130812035941136"));
  CHECK(many.lower < many.upper);
}

TEST_CASE("a level has a double near it, also where its exponential has none") {
  CHECK(Level::of_exponential(Number::exp_of(Number(8192))).approx() == 8192);
  CHECK(Level::of_exponential(Number(3).pow(10'000)).approx() ==
        doctest::Approx(10'000 * std::log(3.0)).epsilon(1e-14));
  CHECK(parse_level("1000 + 500*log(7)").approx() == doctest::Approx(1000 + 500 * std::log(7.0)).epsilon(1e-14));
  CHECK(Level::of_exponential(Number(3)).approx() == std::log(3.0));
  CHECK(std::isinf(Level::infinite().approx()));
}

TEST_CASE("numbers near 0 are rounded outward to 0 or 10^-300") {
  const Number tiny = Number(3).pow(-40'000), smallest = Number(10).pow(-300);
  CHECK(rounded_decimal(tiny, true) == smallest);
  CHECK(rounded_decimal(tiny, false).is_zero());
  CHECK(rounded_decimal(-tiny, true).is_zero());
  CHECK(rounded_decimal(-tiny, false) == -smallest);
  CHECK(rounded_decimal(Number::exp_of(Number(-100'000)), true) == smallest);
  CHECK(rounded_decimal(Number(0), true).is_zero());
  // Just above, digits are kept.
  const Number small = Number(10).pow(-299) / Number(3);
  CHECK(rounded_decimal(small, true) > small);
  CHECK(rounded_decimal(small, true) < small * parse_number("1.000000001"));
}
