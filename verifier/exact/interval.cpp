#include "verifier/exact/interval.h"

#include <flint/fmpq.h>

#include <cmath>
#include <limits>

#include "verifier/exact/number_detail.h"

namespace oddsbound::exact {

Interval::Interval(const Number& number) : Interval() {
  if (number.has_symbols()) {
    arb_indeterminate(value_);
  } else {
    enclose_number(value_, number, kBits);
  }
}

Ball::Ball(const Number& number, slong bits) : Ball() { enclose_number(value_, number, bits); }

double Ball::edge(bool upper) const {
  arf_t bound;
  arf_init(bound);
  (upper ? arb_get_ubound_arf : arb_get_lbound_arf)(bound, value_, kBits);
  const double result = arf_get_d(bound, upper ? ARF_RND_CEIL : ARF_RND_FLOOR);
  arf_clear(bound);
  return result;
}

Number end_of(const Ball& ball, bool upper) {
  constexpr slong kDigits = 64;
  arf_t end;
  arf_init(end);
  (upper ? arb_get_ubound_arf : arb_get_lbound_arf)(end, ball.get(), kDigits);
  Fmpz mantissa, exponent;
  arf_get_fmpz_2exp(mantissa.get(), exponent.get(), end);
  arf_clear(end);
  if (fmpz_is_zero(mantissa.get())) return {};
  char* digits = fmpz_get_str(nullptr, 10, mantissa.get());
  const Number value = Number::from_digits(digits, "1") * Number(2).pow(fmpz_get_si(exponent.get()));
  flint_free(digits);
  return value;
}

void add_log(Ball& sum, std::int64_t weight, const Number& argument) {
  Ball term;
  enclose_number(term.get(), argument, Ball::kBits);
  arb_log(term.get(), term.get(), Ball::kBits);
  arb_addmul_si(sum.get(), term.get(), weight, Ball::kBits);
}

void add_log_likelihood(Ball& sum, std::uint64_t n, std::uint64_t c, double q) {
  Ball term, share(q);
  arb_log(term.get(), share.get(), Ball::kBits);
  arb_addmul_ui(sum.get(), term.get(), c, Ball::kBits);
  if (n == c) return;
  arb_sub_ui(term.get(), share.get(), 1, Ball::kBits);
  arb_neg(term.get(), term.get());
  arb_log(term.get(), term.get(), Ball::kBits);
  arb_addmul_ui(sum.get(), term.get(), n - c, Ball::kBits);
}

void log_gamma_of_half(Ball& result, std::uint64_t twice) {
  arb_set_ui(result.get(), twice);
  arb_mul_2exp_si(result.get(), result.get(), -1);
  arb_lgamma(result.get(), result.get(), Ball::kBits);
}

FixedSum::FixedSum() {
  fmpz_init(lower_);
  fmpz_init(upper_);
}

FixedSum::FixedSum(const FixedSum& other) : FixedSum() { add(other); }

FixedSum::~FixedSum() {
  fmpz_clear(upper_);
  fmpz_clear(lower_);
}

void FixedSum::add(const Ball& term, slong precision) {
  arf_t edge;
  fmpz_t whole;
  arf_init(edge);
  fmpz_init(whole);
  for (const bool upper : {false, true}) {
    (upper ? arb_get_ubound_arf : arb_get_lbound_arf)(edge, term.get(), precision);
    arf_mul_2exp_si(edge, edge, precision);
    arf_get_fmpz(whole, edge, upper ? ARF_RND_CEIL : ARF_RND_FLOOR);
    fmpz* const sum = upper ? upper_ : lower_;
    fmpz_add(sum, sum, whole);
  }
  fmpz_clear(whole);
  arf_clear(edge);
}

void FixedSum::add(const FixedSum& other) {
  fmpz_add(lower_, lower_, other.lower_);
  fmpz_add(upper_, upper_, other.upper_);
}

void FixedSum::enclose(Ball& value, slong precision) const {
  arf_t low, high;
  arf_init(low);
  arf_init(high);
  arf_set_fmpz(low, lower_);
  arf_set_fmpz(high, upper_);
  arb_set_interval_arf(value.get(), low, high, precision);
  arb_mul_2exp_si(value.get(), value.get(), -precision);
  arf_clear(high);
  arf_clear(low);
}

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
  // An irrational number is not an integer, so close enough bounds have the same floor.
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

// Number::approx has relative error <= 2^-51 and returns 0 for values below 2^-1000.
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
  fmpq_t ends[2], middle;
  for (fmpq* end : {ends[0], ends[1], middle}) fmpq_init(end);
  fmpq_set_mpq(ends[0], rational_of(low).backend().data());
  fmpq_set_mpq(ends[1], rational_of(high).backend().data());
  fmpq_simplest_between(middle, ends[0], ends[1]);
  Rational result;
  fmpq_get_mpq(result.backend().data(), middle);
  for (fmpq* end : {ends[0], ends[1], middle}) fmpq_clear(end);
  return make_number(result);
}

}  // namespace oddsbound::exact
