// Numbers that are functions of symbols, and simple rationals near numbers.
#include <doctest/doctest.h>

#include "base/errors.h"
#include "verifier/exact/expression.h"
#include "verifier/exact/interval.h"
#include "verifier/exact/symbols.h"
#include "verifier/smt/everywhere.h"

using namespace oddsbound;

namespace {

std::shared_ptr<const SymbolRing> ring_of_two() {
  return SymbolRing::make({{"t", Number(1), std::nullopt, true, false}, {"p", Number(0), Number(1), false, false}},
                          sign_oracle({}));
}

}  // namespace

TEST_CASE("functions of symbols are equal when they are the same function") {
  const auto ring = ring_of_two();
  const Number t = ring->value(0), p = ring->value(1);
  CHECK((t * t - Number(1)) / (t + Number(1)) == t - Number(1));
  CHECK(t / t == Number(1));
  CHECK((t + p).pow(2) == t * t + Number(2) * t * p + p * p);
  CHECK(t != p);
  CHECK((t - t).is_zero());
  CHECK_FALSE(t.is_rational());
  CHECK(t.has_symbols());
  CHECK_FALSE((t - t).has_symbols());
  const Number e = Number::exp_of(Number::ratio(1, 2));
  CHECK((t * e) * e == t * Number::exp_of(Number(1)));
  CHECK((t * e) / t == e);
  CHECK((Number(1) / (t + e)) * (t + e) == Number(1));
  CHECK((t / (t + p)).to_string() == "t/(t+p)");
  CHECK((Number(1) / (Number(2) * t)).to_string() == "1/(2*t)");
}

TEST_CASE("signs hold for the whole range, or there is an error that names values") {
  const auto ring = ring_of_two();
  const Number t = ring->value(0), p = ring->value(1);
  CHECK((t - Number(1)).sign() == 1);
  CHECK((Number(1) - t).sign() == -1);
  CHECK(p.sign() == 1);  // nonnegative everywhere
  CHECK(t > p);
  CHECK((t * p).sign() == 1);
  CHECK_THROWS_WITH_AS((t - Number(2)).sign(), doctest::Contains("it is negative for t = 3/2"), NumberError);
  CHECK_THROWS_WITH_AS(Number(1) / p, doctest::Contains("which is 0 for t = 4, p = 0"), NumberError);
  CHECK((Number(1) / (t - Number(1))).sign() == 1);
  CHECK_THROWS_AS(Number(1) / (t - Number(2)), NumberError);
  CHECK_THROWS_AS(t.pow(-1) / (t - t), NumberError);
  const auto other = ring_of_two();
  CHECK_THROWS_WITH_AS(t + other->value(0), doctest::Contains("different specs"), NumberError);
}

TEST_CASE("a sign is decided where exp occurs and the number is 0 at an end of the range") {
  const auto ring = SymbolRing::make({{"u", Number(0), Number(1), false, false}}, sign_oracle({}));
  const Number u = ring->value(0);
  const Number e = Number::exp_of(Number(1));
  CHECK((u * e / (u * e + Number(1))).sign() == 1);
  CHECK((-(u * e)).sign() == -1);
  CHECK(u * e <= e);
  CHECK(((Number(2) * u - Number(1)).pow(2) * e).sign() == 1);
  // 0 only at exp(-1), which is irrational: bounds of exp do not decide the sign.
  const Number square = (u * e - Number(1)).pow(2);
  CHECK_THROWS_WITH_AS(square.sign(), doctest::Contains("could not be decided"), NumberError);
  CHECK_THROWS_WITH_AS(Number(1) / square, doctest::Contains("could not be shown to be nowhere 0"), NumberError);
  CHECK_THROWS_WITH_AS(Number(1) / (u * e), doctest::Contains("which is 0 for u = 0"), NumberError);
  CHECK_THROWS_WITH_AS((u * e - Number(1)).sign(), doctest::Contains("depends on the symbols"), NumberError);
}

TEST_CASE("values are put in for symbols") {
  const auto ring = ring_of_two();
  const Number f = ring->value(0) / (ring->value(0) + ring->value(1)) * Number::exp_of(Number(1));
  const std::vector<Number> values{Number(3), Number::ratio(1, 2)};
  CHECK(substitute(f, values) == Number::ratio(6, 7) * Number::exp_of(Number(1)));
  CHECK(substitute(Number(5), values) == Number(5));
}

TEST_CASE("forms of one call are one positive number times the numbers") {
  const auto ring = ring_of_two();
  const Number t = ring->value(0);
  const Number e = Number::exp_of(Number::ratio(1, 3));
  const std::vector<Number> numbers{t / (t + e), Number(1) / (Number(2) - Number(3) * t), Number(7), e * e};
  const std::vector<Polynomial> forms = polynomial_forms(numbers);
  const std::vector<Number> values{Number(2), Number(0)};
  const Number scale = evaluate(forms[2], values) / Number(7);
  CHECK(scale.sign() > 0);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    CHECK(evaluate(forms[k], values) == scale * substitute(numbers[k], values));
  }
}

TEST_CASE("too large functions are refused") {
  const auto ring = ring_of_two();
  const Number sum = ring->value(0) + ring->value(1) + Number(1);
  CHECK_THROWS_AS(sum.pow(60), LimitError);
}

TEST_CASE("the simplest value of an interval, within a range") {
  CHECK(simplest_between(Number::ratio(1, 3), Number::ratio(2, 5)) == Number::ratio(1, 3));
  CHECK(simplest_between(Number::ratio(34, 100), Number::ratio(39, 100)) == Number::ratio(3, 8));
  CHECK(simplest_between(Number::ratio(-7, 2), Number::ratio(-5, 2)) == Number(-3));
  CHECK(simplest_between(Number(-1), Number(1)) == Number(0));
  const Symbol open{"t", Number(1), Number(2), true, true};
  CHECK(open.contains(simplest_value(open, Number(0), Number(5))));
  const Symbol far{"t", Number(100), Number(200), false, false};
  CHECK(simplest_value(far, Number(-10), Number(10)) == Number(100));
  CHECK(open.range_text() == "1 < t < 2");
}

TEST_CASE("rounding is to the side that it says") {
  for (const Number& number :
       {Number::ratio(1, 3), Number::exp_of(Number(-3)), Number::exp_of(Number(40)), Number(5)}) {
    const auto [low, high] = rational_bounds(number, 50);
    CHECK(low <= number);
    CHECK(number <= high);
    CHECK(high - low <= number * Number(2).pow(-45));
    CHECK(rounded_down(number, 10) <= number);
    CHECK(rounded_up(number, 10) >= number);
    CHECK(rounded_up(number, 10) - rounded_down(number, 10) <= Number(2).pow(-10));
  }
  CHECK(floor_of(Number::ratio(-1, 2)) == Number(-1));
  CHECK(floor_of(Number(3)) == Number(3));
}
