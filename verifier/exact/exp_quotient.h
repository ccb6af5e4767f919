// The elements of K that are not rational: P(t)/Q(t) with t = exp(step), P and Q integer polynomials (FLINT).
//
// Canonical: P and Q coprime, Q's leading coefficient positive, and the step as large as possible (the exponents that
// occur have gcd 1), so that equal values have equal representations.
#pragma once

#include <arb.h>

#include <boost/multiprecision/gmp.hpp>
#include <flint/fmpz_poly_q.h>
#include <string>

#include "base/namespaces.h"

namespace oddsbound::exact {

using Integer = boost::multiprecision::number<boost::multiprecision::gmp_int, boost::multiprecision::et_off>;
using Rational = boost::multiprecision::number<boost::multiprecision::gmp_rational, boost::multiprecision::et_off>;

/// Largest size, in bits, of an integer in a number, and largest degree of a polynomial in exp(step).
inline constexpr std::size_t kMaxBits = std::size_t{1} << 22;
inline constexpr slong kMaxDegree = 20000;
/// Largest size, in bits, of all coefficients of such a polynomial together.
inline constexpr std::size_t kMaxPolynomialBits = std::size_t{1} << 28;

class ExpQuotient {
 public:
  /// The constant value, on the given step.
  ExpQuotient(const Rational& constant, const Rational& step);
  /// top / bottom as polynomials in exp(step).
  ExpQuotient(const fmpz_poly_t top, const fmpz_poly_t bottom, const Rational& step);
  ExpQuotient(const ExpQuotient& other);
  ExpQuotient(ExpQuotient&& other) noexcept;
  ExpQuotient& operator=(ExpQuotient other) noexcept;
  ~ExpQuotient();

  /// The constant on this number's step, so that arithmetic between the two need not change steps.
  ExpQuotient constant_beside(const Rational& constant) const { return ExpQuotient(constant, step_); }

  /// exp(exponent) for a non-zero exponent.
  static ExpQuotient exp_of(const Rational& exponent);

  ExpQuotient add(const ExpQuotient& other) const;
  ExpQuotient subtract(const ExpQuotient& other) const;
  ExpQuotient multiply(const ExpQuotient& other) const;
  ExpQuotient divide(const ExpQuotient& other) const;
  ExpQuotient negate() const;
  ExpQuotient power(long exponent) const;

  const fmpz_poly_struct* top() const { return fmpz_poly_q_numref(value_); }
  const fmpz_poly_struct* bottom() const { return fmpz_poly_q_denref(value_); }
  const Rational& step() const { return step_; }

  bool is_constant() const;
  Rational constant() const;
  bool equals(const ExpQuotient& other) const;
  bool is_monomial(Rational& coefficient, Rational& exponent) const;
  int sign() const;
  /// An enclosure at the given working precision; it may be wide, never wrong.
  void enclose(arb_t result, slong precision) const;
  std::size_t hash() const;
  std::size_t bits() const;
  /// Of all coefficients together, or somewhat more.
  std::size_t size() const;
  /// What is written of both polynomials: coefficients that are not 0, and their bits.
  struct Written {
    std::size_t terms = 0, bits = 0;
  };
  Written written() const;
  std::string to_string() const;

 private:
  using Operation = void (*)(fmpz_poly_q_t, const fmpz_poly_q_t, const fmpz_poly_q_t);
  ExpQuotient combine(const ExpQuotient& other, Operation operation) const;
  void use_step(const Rational& step);
  void canonicalise();

  Rational step_;
  fmpz_poly_q_t value_;
};

/// The largest rational that both are whole multiples of.
Rational rational_gcd(const Rational& a, const Rational& b);
void set_fmpz(fmpz_t target, const Integer& value);
Integer integer_of(const fmpz_t value);
void set_arb(arb_t target, const Rational& value, slong precision);
/// An integer or quotient in the grammar, split where a literal would pass the reader's limit on digits.
std::string integer_text(const Integer& value);
std::string rational_text(const Rational& value);

}  // namespace oddsbound::exact
