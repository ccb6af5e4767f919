#include "verifier/exact/rational_power.h"

#include <cstdlib>

#include "base/errors.h"
#include "verifier/exact/number_detail.h"

namespace oddsbound::exact {

namespace {

bool exact_root(const Integer& integer, unsigned long degree, Integer& root) {
  return mpz_root(root.backend().data(), integer.backend().data(), degree) != 0;
}

}  // namespace

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
