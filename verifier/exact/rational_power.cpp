#include "verifier/exact/rational_power.h"

#include <algorithm>
#include <cstdlib>

#include "base/errors.h"
#include "verifier/exact/number_detail.h"

namespace oddsbound::exact {

namespace {

bool exact_root(const Integer& integer, unsigned long degree, Integer& root) {
  return mpz_root(root.backend().data(), integer.backend().data(), degree) != 0;
}

bool is_prime(unsigned long degree) {
  for (unsigned long d = 2; d * d <= degree; ++d) {
    if (degree % d == 0) return false;
  }
  return true;
}

}  // namespace

PowerOfRoot smallest_root(const Number& number) {
  constexpr std::size_t kMostBits = 8192;
  PowerOfRoot power{number};
  std::size_t bits = number.bits();
  if (!number.is_rational() || number.sign() <= 0 || number.is_one() || bits > kMostBits) return power;
  const Rational value = rational_of(number);
  Integer top = numerator(value);
  Integer bottom = denominator(value);
  // A root of a larger degree than there are bits is below 2.
  for (unsigned long degree = 2; degree <= bits; ++degree) {
    if (!is_prime(degree)) continue;
    Integer top_root, bottom_root;
    while (exact_root(top, degree, top_root) && exact_root(bottom, degree, bottom_root)) {
      top = top_root;
      bottom = bottom_root;
      power.degree *= degree;
      bits = std::max(bits_of(top), bits_of(bottom));
    }
  }
  power.root = make_number(Rational(top, bottom));
  return power;
}

Number rational_power(const Number& number, const Number& power) {
  constexpr std::int64_t kMost = 10'000;
  std::int64_t top = 0;
  std::int64_t bottom = 0;
  if (!power.fits_ratio(top, bottom) || std::abs(top) > kMost || bottom > kMost) {
    throw NumberError("the power " + power.to_string() + " is not a fraction of small integers");
  }
  if (bottom == 1) return number.pow(top);
  const auto fail = [&]() -> NumberError {
    return NumberError("(" + number.to_string() + ")^(" + power.to_string() + ") cannot be written exactly");
  };
  Number coefficient, exponent;
  if (number.sign() <= 0 || !number.is_monomial(coefficient, exponent)) throw fail();
  const Rational value = rational_of(coefficient);
  Integer numerator_root, denominator_root;
  const auto degree = static_cast<unsigned long>(bottom);
  if (!exact_root(Integer(numerator(value)), degree, numerator_root) ||
      !exact_root(Integer(denominator(value)), degree, denominator_root)) {
    throw fail();
  }
  return make_number(Rational(numerator_root, denominator_root)).pow(top) * Number::exp_of(exponent * power);
}

}  // namespace oddsbound::exact
