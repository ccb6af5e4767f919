#include "verifier/exact/rounding.h"

#include <cmath>
#include <limits>

#include "verifier/exact/ball.h"
#include "verifier/exact/number_detail.h"

namespace oddsbound::exact {

std::pair<Number, Number> rational_bounds(const Number& number, unsigned bits) {
  if (number.is_rational()) return {number, number};
  Ball value;
  slong precision = static_cast<slong>(bits) + 40;
  enclose_number(value.get(), number, precision);
  while (arb_rel_accuracy_bits(value.get()) < static_cast<slong>(bits)) {
    enclose_number(value.get(), number, precision *= 2);
  }
  fmpz_t low, high, scale;
  fmpz_init(low);
  fmpz_init(high);
  fmpz_init(scale);
  arb_get_interval_fmpz_2exp(low, high, scale, value.get());
  const Integer below = integer_of(low), above = integer_of(high);
  const slong exponent = fmpz_get_si(scale);
  fmpz_clear(scale);
  fmpz_clear(high);
  fmpz_clear(low);
  const auto scaled = [&](const Integer& mantissa) {
    return make_number(Rational(mantissa, Integer(1))) * Number(2).pow(exponent);
  };
  return {scaled(below), scaled(above)};
}

Number floor_of(const Number& number) {
  const auto whole = [](const Number& rational) {
    const Rational value = rational_of(rational);
    Integer result;
    mpz_fdiv_q(result.backend().data(), mpq_numref(value.backend().data()), mpq_denref(value.backend().data()));
    return make_number(Rational(result, Integer(1)));
  };
  // What is not rational is no integer, so close bounds have one floor.
  for (unsigned bits = 64;; bits *= 2) {
    const auto [low, high] = rational_bounds(number, bits);
    if (whole(low) == whole(high)) return whole(low);
  }
}

Number rounded_down(const Number& number, unsigned bits) {
  const Number scale = Number(2).pow(bits);
  return floor_of(number * scale) / scale;
}

Number rounded_up(const Number& number, unsigned bits) { return -rounded_down(-number, bits); }

// Number::approx is off by at most 2^-51 of the number, and is 0 for what lies below 2^-1000.
double rounded_above(const Number& number) {
  if (number.is_zero()) return 0;
  return std::min(1.0, std::max(number.approx(), 0x1p-999) * (1 + 0x1p-50));
}

double rounded_below(const Number& number) {
  return number.is_one() ? 1 : std::max(0.0, number.approx() * (1 - 0x1p-50));
}

Number number_of(double value) {
  int exponent = 0;
  const double mantissa = std::ldexp(std::frexp(value, &exponent), std::numeric_limits<double>::digits);
  return Number(static_cast<std::int64_t>(mantissa)) * Number(2).pow(exponent - std::numeric_limits<double>::digits);
}

Number simplest_between(const Number& low, const Number& high) {
  if (low.sign() <= 0 && high.sign() >= 0) return Number(0);
  if (high.sign() < 0) return -simplest_between(-high, -low);
  const Number whole = floor_of(low);
  if (whole == low) return whole;
  if (whole + Number(1) <= high) return whole + Number(1);
  return whole + Number(1) / simplest_between(Number(1) / (high - whole), Number(1) / (low - whole));
}

}  // namespace oddsbound::exact
