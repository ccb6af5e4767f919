// Arithmetic in Q(exp(step)): brings both operands to a common step, calls FLINT's fmpz_poly_q, and restores the
// canonical step.

#include "verifier/exact/exp_quotient.h"

#include <flint/fmpz.h>
#include <flint/fmpz_poly.h>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "base/errors.h"
#include "verifier/exact/interval.h"
#include "verifier/exact/quotient_process.h"

namespace oddsbound::exact {

namespace {

constexpr std::uint64_t kHashPrime = 0x1fffffffffffffffULL;

Integer gcd_of(const Integer& a, const Integer& b) { return boost::multiprecision::gcd(a, b); }

void check_polynomial(const fmpz_poly_t poly) {
  if (fmpz_poly_degree(poly) > kMaxDegree) {
    throw LongNumberError(
        "the exponents of exp(...) are too far apart or too finely divided: the number would be a "
        "polynomial of degree " +
        std::to_string(fmpz_poly_degree(poly)) + ", the limit is " + std::to_string(kMaxDegree));
  }
  if (static_cast<std::size_t>(std::abs(fmpz_poly_max_bits(poly))) > kMaxBits) {
    throw LongNumberError("a number passes the limit of " + std::to_string(kMaxBits) + " bits");
  }
  check_size(poly);
}

void inflate(fmpz_poly_t poly, const Integer& factor) {
  if (factor == 1) return;
  const slong degree = fmpz_poly_degree(poly);
  if (degree > 0 && factor > kMaxDegree / degree) {
    throw LongNumberError(
        "the exponents of exp(...) are too far apart or too finely divided: the number would be a "
        "polynomial of degree above the limit of " +
        std::to_string(kMaxDegree));
  }
  if (degree > 0) fmpz_poly_inflate(poly, poly, factor.convert_to<unsigned long>());
}

// Returns the gcd of the exponents of nonzero terms; 0 for a constant (fmpz_poly_deflation returns 1 for it).
ulong exponent_gcd(const fmpz_poly_t poly) {
  ulong result = 0;
  for (slong i = fmpz_poly_degree(poly); i > 0 && result != 1; --i) {
    if (!fmpz_is_zero(fmpz_poly_get_coeff_ptr(poly, i))) result = n_gcd(result, static_cast<ulong>(i));
  }
  return result;
}

void enclose_polynomial(arb_t result, const fmpz_poly_t poly, const arb_t point, slong precision) {
  arb_zero(result);
  for (slong i = fmpz_poly_degree(poly); i >= 0; --i) {
    Budget::work_on(static_cast<std::size_t>(precision));
    arb_mul(result, result, point, precision);
    arb_add_fmpz(result, result, fmpz_poly_get_coeff_ptr(poly, i), precision);
  }
}

int polynomial_sign(const fmpz_poly_t poly, const Rational& step) {
  if (fmpz_poly_is_zero(poly)) return 0;
  int sign = 0;
  for (slong precision = 64; sign == 0; precision *= 2) {
    Ball point, value;  // RAII: the budget may throw out of the loop
    set_arb(point.get(), step, precision);
    arb_exp(point.get(), point.get(), precision);
    enclose_polynomial(value.get(), poly, point.get(), precision);
    if (arb_is_positive(value.get())) sign = 1;
    if (arb_is_negative(value.get())) sign = -1;
  }
  return sign;
}

std::size_t hash_polynomial(std::size_t seed, const fmpz_poly_t poly) {
  for (slong i = 0; i <= fmpz_poly_degree(poly); ++i) {
    seed = seed * 0x9e3779b97f4a7c15ULL + fmpz_fdiv_ui(fmpz_poly_get_coeff_ptr(poly, i), kHashPrime);
  }
  return seed * 31 + 7;
}

}  // namespace

Rational rational_gcd(const Rational& a, const Rational& b) {
  const Integer cross = gcd_of(Integer(numerator(a) * denominator(b)), Integer(numerator(b) * denominator(a)));
  return Rational(cross, Integer(denominator(a) * denominator(b)));
}

void set_fmpz(fmpz_t target, const Integer& value) { fmpz_set_mpz(target, value.backend().data()); }

Integer integer_of(const fmpz_t value) {
  Integer result;
  fmpz_get_mpz(result.backend().data(), value);
  return result;
}

void set_arb(arb_t target, const Rational& value, slong precision) {
  fmpq_t exact;
  fmpq_init(exact);
  fmpq_set_mpq(exact, value.backend().data());
  arb_set_fmpq(target, exact, precision);
  fmpq_clear(exact);
}

ExpQuotient::ExpQuotient(const Rational& constant, const Rational& step) : step_(step) {
  fmpz_poly_q_init(value_);
  fmpz_t part;
  fmpz_init(part);
  set_fmpz(part, Integer(numerator(constant)));
  fmpz_poly_set_fmpz(fmpz_poly_q_numref(value_), part);
  set_fmpz(part, Integer(denominator(constant)));
  fmpz_poly_set_fmpz(fmpz_poly_q_denref(value_), part);
  fmpz_clear(part);
}

// Delegates to another constructor, so that value_ is freed if the budget throws in this one.
ExpQuotient::ExpQuotient(const fmpz_poly_t top, const fmpz_poly_t bottom, const Rational& step)
    : ExpQuotient(Rational(0), step) {
  fmpz_poly_set(fmpz_poly_q_numref(value_), top);
  fmpz_poly_set(fmpz_poly_q_denref(value_), bottom);
  within_budget(value_, size(), [&] { fmpz_poly_q_canonicalise(value_); });
  canonicalise();
}

ExpQuotient::ExpQuotient(const ExpQuotient& other) : step_(other.step_) {
  fmpz_poly_q_init(value_);
  fmpz_poly_q_set(value_, other.value_);
}

ExpQuotient::ExpQuotient(ExpQuotient&& other) noexcept : step_(other.step_) {
  fmpz_poly_q_init(value_);
  fmpz_poly_q_swap(value_, other.value_);
}

ExpQuotient& ExpQuotient::operator=(ExpQuotient other) noexcept {
  std::swap(step_, other.step_);
  fmpz_poly_q_swap(value_, other.value_);
  return *this;
}

ExpQuotient::~ExpQuotient() { fmpz_poly_q_clear(value_); }

ExpQuotient ExpQuotient::exp_of(const Rational& exponent) {
  ExpQuotient result(Rational(1), exponent < 0 ? Rational(-exponent) : exponent);
  fmpz_poly_struct* part = exponent < 0 ? fmpz_poly_q_denref(result.value_) : fmpz_poly_q_numref(result.value_);
  fmpz_poly_zero(part);
  fmpz_poly_set_coeff_ui(part, 1, 1);
  return result;
}

void ExpQuotient::use_step(const Rational& step) {
  const Integer factor = Integer(numerator(Rational(step_ / step)));
  inflate(fmpz_poly_q_numref(value_), factor);
  inflate(fmpz_poly_q_denref(value_), factor);
  step_ = step;
}

void ExpQuotient::canonicalise() {
  check_polynomial(fmpz_poly_q_numref(value_));
  check_polynomial(fmpz_poly_q_denref(value_));
  const ulong deflation = n_gcd(exponent_gcd(fmpz_poly_q_numref(value_)), exponent_gcd(fmpz_poly_q_denref(value_)));
  if (deflation > 1) {
    fmpz_poly_deflate(fmpz_poly_q_numref(value_), fmpz_poly_q_numref(value_), deflation);
    fmpz_poly_deflate(fmpz_poly_q_denref(value_), fmpz_poly_q_denref(value_), deflation);
    step_ *= Rational(deflation);
  }
}

ExpQuotient ExpQuotient::combine(const ExpQuotient& other, Operation operation) const {
  ExpQuotient left(*this);
  const std::size_t both = size() + other.size();
  if (step_ == other.step_) {
    within_budget(left.value_, both, [&] { operation(left.value_, value_, other.value_); });
  } else {
    const Rational step = rational_gcd(step_, other.step_);
    ExpQuotient right(other);
    left.use_step(step);
    right.use_step(step);
    within_budget(left.value_, both, [&] { operation(left.value_, left.value_, right.value_); });
  }
  left.canonicalise();
  return left;
}

ExpQuotient ExpQuotient::add(const ExpQuotient& other) const { return combine(other, fmpz_poly_q_add); }
ExpQuotient ExpQuotient::subtract(const ExpQuotient& other) const { return combine(other, fmpz_poly_q_sub); }
ExpQuotient ExpQuotient::multiply(const ExpQuotient& other) const { return combine(other, fmpz_poly_q_mul); }
ExpQuotient ExpQuotient::divide(const ExpQuotient& other) const { return combine(other, fmpz_poly_q_div); }

ExpQuotient ExpQuotient::negate() const {
  ExpQuotient result(*this);
  fmpz_poly_q_neg(result.value_, result.value_);
  return result;
}

ExpQuotient ExpQuotient::power(long exponent) const {
  const unsigned long count = static_cast<unsigned long>(std::abs(exponent));
  const slong degree =
      std::max(fmpz_poly_degree(fmpz_poly_q_numref(value_)), fmpz_poly_degree(fmpz_poly_q_denref(value_)));
  Rational coefficient, power;
  if (is_monomial(coefficient, power)) {
    ExpQuotient result = exp_of(Rational(power * exponent));
    const std::size_t size = bits();
    if (size > 1 && count > kMaxBits / size)
      throw LimitError("a power passes the limit of " + std::to_string(kMaxBits) + " bits");
    const Rational base = exponent < 0 ? Rational(1 / coefficient) : coefficient;
    const Rational scale(Integer(boost::multiprecision::pow(Integer(numerator(base)), static_cast<unsigned>(count))),
                         Integer(boost::multiprecision::pow(Integer(denominator(base)), static_cast<unsigned>(count))));
    return result.multiply(ExpQuotient(scale, result.step_));
  }
  if (degree > 0 && count > static_cast<unsigned long>(kMaxDegree / degree)) {
    throw LimitError("a power would be a polynomial in exp(...) of degree above the limit of " +
                     std::to_string(kMaxDegree));
  }
  if (count > kMaxBits / (bits() + 1))
    throw LimitError("a power passes the limit of " + std::to_string(kMaxBits) + " bits");
  ExpQuotient result(*this);
  within_budget(result.value_, size() * count * count, [&] { fmpz_poly_q_pow(result.value_, value_, count); });
  if (exponent < 0) fmpz_poly_q_inv(result.value_, result.value_);
  result.canonicalise();
  return result;
}

bool ExpQuotient::is_constant() const {
  return fmpz_poly_degree(fmpz_poly_q_numref(value_)) <= 0 && fmpz_poly_degree(fmpz_poly_q_denref(value_)) <= 0;
}

Rational ExpQuotient::constant() const {
  if (fmpz_poly_q_is_zero(value_)) return Rational(0);
  return Rational(integer_of(fmpz_poly_get_coeff_ptr(fmpz_poly_q_numref(value_), 0)),
                  integer_of(fmpz_poly_get_coeff_ptr(fmpz_poly_q_denref(value_), 0)));
}

bool ExpQuotient::equals(const ExpQuotient& other) const {
  return step_ == other.step_ && fmpz_poly_q_equal(value_, other.value_);
}

bool ExpQuotient::is_monomial(Rational& coefficient, Rational& exponent) const {
  const fmpz_poly_struct* top = fmpz_poly_q_numref(value_);
  const fmpz_poly_struct* bottom = fmpz_poly_q_denref(value_);
  const slong up = fmpz_poly_degree(top);
  const slong down = fmpz_poly_degree(bottom);
  for (slong i = 0; i < up; ++i)
    if (!fmpz_is_zero(fmpz_poly_get_coeff_ptr(top, i))) return false;
  for (slong i = 0; i < down; ++i)
    if (!fmpz_is_zero(fmpz_poly_get_coeff_ptr(bottom, i))) return false;
  coefficient =
      Rational(integer_of(fmpz_poly_get_coeff_ptr(top, up)), integer_of(fmpz_poly_get_coeff_ptr(bottom, down)));
  exponent = step_ * (up - down);
  return true;
}

int ExpQuotient::sign() const {
  return polynomial_sign(fmpz_poly_q_numref(value_), step_) * polynomial_sign(fmpz_poly_q_denref(value_), step_);
}

void ExpQuotient::enclose(arb_t result, slong precision) const {
  Ball point, bottom;
  set_arb(point.get(), step_, precision);
  arb_exp(point.get(), point.get(), precision);
  enclose_polynomial(result, fmpz_poly_q_numref(value_), point.get(), precision);
  enclose_polynomial(bottom.get(), fmpz_poly_q_denref(value_), point.get(), precision);
  arb_div(result, result, bottom.get(), precision);
}

std::size_t ExpQuotient::hash() const {
  return hash_polynomial(hash_polynomial(0x51ed270b, fmpz_poly_q_numref(value_)), fmpz_poly_q_denref(value_));
}

std::size_t ExpQuotient::bits() const {
  const slong top = std::abs(fmpz_poly_max_bits(fmpz_poly_q_numref(value_)));
  const slong bottom = std::abs(fmpz_poly_max_bits(fmpz_poly_q_denref(value_)));
  return static_cast<std::size_t>(std::max(top, bottom));
}

ExpQuotient::Written ExpQuotient::written() const {
  Written written;
  for (const fmpz_poly_struct* poly : {fmpz_poly_q_numref(value_), fmpz_poly_q_denref(value_)}) {
    for (slong i = 0; i < fmpz_poly_length(poly); ++i) {
      const fmpz* coefficient = fmpz_poly_get_coeff_ptr(poly, i);
      if (fmpz_is_zero(coefficient)) continue;
      ++written.terms;
      written.bits += fmpz_bits(coefficient);
    }
  }
  return written;
}

std::size_t ExpQuotient::size() const {
  return size_of(fmpz_poly_q_numref(value_)) + size_of(fmpz_poly_q_denref(value_));
}

// Numbers as text of the expression grammar. Literals and exponents beyond the reader's limits are split.

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

// Writes the terms c * exp(step * (i - shift)), i ascending. Sets `terms` to their number.
std::string polynomial_text(const fmpz_poly_t poly, const Rational& step, slong shift, int& terms) {
  // Short numbers must be writable even after a limit was reached.
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
  // Write exp(-r) for 1/exp(r).
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
