// Numbers in the expression grammar, split where a literal or an exponent would pass the limits of its reader.
#include <flint/fmpz_poly.h>

#include "base/budget.h"
#include "verifier/exact/exp_quotient.h"
#include "verifier/exact/quotient_process.h"

namespace oddsbound::exact {

namespace {

constexpr int kLargestExponent = 10000;

std::string exp_text(const Rational& exponent) {
  const Rational size = exponent < 0 ? Rational(-exponent) : exponent;
  if (size <= kLargestExponent) return "exp(" + rational_text(exponent) + ")";
  Integer power = Integer(numerator(size) / (denominator(size) * kLargestExponent)) + 1;
  const Integer inner = power > kLargestExponent ? Integer(kLargestExponent) : power;
  const std::string base = exp_text(Rational(exponent / Rational(inner)));
  return (base.find('^') == std::string::npos ? base : "(" + base + ")") + "^" + inner.str();
}

// The terms c * exp(step * (i - shift)), constants first.
std::string polynomial_text(const fmpz_poly_t poly, const Rational& step, slong shift, int& terms) {
  // What is written after a limit was reached must not fail for short numbers.
  constexpr std::size_t kLong = 1 << 16;
  const bool is_long = size_of(poly) > kLong;
  std::string text;
  terms = 0;
  for (slong i = 0; i <= fmpz_poly_degree(poly); ++i) {
    Integer coefficient = integer_of(fmpz_poly_get_coeff_ptr(poly, i));
    if (coefficient == 0) continue;
    if (is_long) Budget::work_on(mpz_sizeinbase(coefficient.backend().data(), 2));
    const bool negative = coefficient < 0;
    if (negative) coefficient = -coefficient;
    if (terms > 0) text += negative ? " - " : " + ";
    if (terms == 0 && negative) text += "-";
    const slong power = i - shift;
    if (power == 0) {
      text += integer_text(coefficient);
    } else {
      if (coefficient != 1) text += integer_text(coefficient) + "*";
      text += exp_text(Rational(step * power));
    }
    ++terms;
  }
  return text;
}

}  // namespace

std::string integer_text(const Integer& value) {
  constexpr std::size_t kDigitsAtOnce = 9000;
  std::string digits = value.str();
  if (digits.size() <= kDigitsAtOnce) return digits;
  const bool negative = digits[0] == '-';
  if (negative) digits.erase(0, 1);
  std::string text;
  std::size_t power = 0;
  for (std::size_t end = digits.size(); end > 0; ++power) {
    const std::size_t begin = end > kDigitsAtOnce ? end - kDigitsAtOnce : 0;
    if (power > 0) text += " + ";
    text += digits.substr(begin, end - begin);
    if (power > 0) text += "*(10^9000)^" + std::to_string(power);
    end = begin;
  }
  return (negative ? "-(" : "(") + text + ")";
}

std::string rational_text(const Rational& value) {
  const std::string top = integer_text(Integer(numerator(value)));
  const Integer bottom = Integer(denominator(value));
  return bottom == 1 ? top : top + "/" + integer_text(bottom);
}

std::string ExpQuotient::to_string() const {
  const fmpz_poly_struct* top = fmpz_poly_q_numref(value_);
  const fmpz_poly_struct* bottom = fmpz_poly_q_denref(value_);
  slong lowest = 0;
  while (fmpz_is_zero(fmpz_poly_get_coeff_ptr(bottom, lowest))) ++lowest;
  // 1/exp(r) reads better as exp(-r).
  const slong shift = lowest == fmpz_poly_degree(bottom) ? lowest : 0;
  int top_terms = 0;
  int bottom_terms = 0;
  const std::string above = polynomial_text(top, step_, shift, top_terms);
  const std::string below = polynomial_text(bottom, step_, shift, bottom_terms);
  if (below == "1") return above;
  const bool simple = bottom_terms == 1 && below.find_first_of("*^ ") == std::string::npos;
  return (top_terms > 1 ? "(" + above + ")" : above) + "/" + (simple ? below : "(" + below + ")");
}

}  // namespace oddsbound::exact
