#include "verifier/exact/polynomial.h"

#include <flint/fmpz_poly.h>

#include <algorithm>
#include <cassert>

#include "base/errors.h"
#include "verifier/exact/number_detail.h"

namespace oddsbound::exact {

std::vector<Number> polynomial_power(std::span<const Number> coefficients, std::uint64_t exponent, Budget& budget) {
  assert(!coefficients.empty() && exponent >= 1);
  Integer denominator = 1;
  for (const Number& coefficient : coefficients) {
    denominator = lcm(denominator, boost::multiprecision::denominator(rational_of(coefficient)));
  }
  UnivariatePolynomial base, power;
  for (std::size_t k = 0; k < coefficients.size(); ++k) {
    Fmpz value(boost::multiprecision::numerator(rational_of(coefficients[k]) * Rational(denominator)));
    fmpz_poly_set_coeff_fmpz(base.get(), static_cast<slong>(k), value.get());
  }
  // Coefficients of the power are at most (sum of the absolute values of the base's)^exponent.
  const std::size_t bits = bits_of(denominator) + static_cast<std::size_t>(std::abs(fmpz_poly_max_bits(base.get()))) +
                           bits_of(Integer(static_cast<std::uint64_t>(coefficients.size())));
  const double bytes = static_cast<double>(coefficients.size()) * static_cast<double>(exponent) *
                       static_cast<double>(bits) * static_cast<double>(exponent) / 8;
  if (bytes > 0x1p36) throw LimitError("a polynomial of too many digits: " + std::to_string(exponent) + "-fold power");
  budget.require_memory(static_cast<std::uint64_t>(bytes));
  fmpz_poly_set_ui(power.get(), 1);
  // Left to right: every multiplication by the base is cheap.
  for (int bit = 63 - __builtin_clzll(exponent); bit >= 0; --bit) {
    budget.check();
    fmpz_poly_sqr(power.get(), power.get());
    if ((exponent >> bit & 1) != 0) fmpz_poly_mul(power.get(), power.get(), base.get());
  }
  const Integer whole = boost::multiprecision::pow(denominator, static_cast<unsigned>(exponent));
  std::vector<Number> result((coefficients.size() - 1) * exponent + 1);
  for (std::size_t k = 0; k < result.size(); ++k) {
    budget.check_every();
    if (static_cast<slong>(k) >= fmpz_poly_length(power.get())) break;  // zeros
    const fmpz* coefficient = fmpz_poly_get_coeff_ptr(power.get(), static_cast<slong>(k));
    if (!fmpz_is_zero(coefficient)) result[k] = make_number(Rational(integer_of(coefficient), whole));
  }
  return result;
}

}  // namespace oddsbound::exact
