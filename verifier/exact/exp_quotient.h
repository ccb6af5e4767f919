// The irrational elements of K: P(t)/Q(t) with t = exp(step), P and Q integer polynomials (FLINT's fmpz_poly_q).
//
// Canonical form: P and Q coprime, the leading coefficient of Q positive, the step as large as possible (the
// exponents that occur have gcd 1). Equal values therefore have equal representations. Operations on large
// operands run in a process of their own (quotient_process.h).
#pragma once

#include <arb.h>

#include <flint/fmpz_poly_q.h>
#include <boost/multiprecision/gmp.hpp>
#include <string>

#include "base/namespaces.h"

namespace oddsbound::exact {

using Integer = boost::multiprecision::number<boost::multiprecision::gmp_int, boost::multiprecision::et_off>;
using Rational = boost::multiprecision::number<boost::multiprecision::gmp_rational, boost::multiprecision::et_off>;

/// Maximum size, in bits, of an integer in a number, and maximum degree of a polynomial in exp(step).
inline constexpr std::size_t kMaxBits = std::size_t{1} << 22;
inline constexpr slong kMaxDegree = 20000;
/// Maximum size, in bits, of all coefficients of such a polynomial together.
inline constexpr std::size_t kMaxPolynomialBits = std::size_t{1} << 28;

class ExpQuotient {
 public:
  /// The constant, written with the given step.
  ExpQuotient(const Rational& constant, const Rational& step);
  /// The quotient top / bottom of polynomials in exp(step).
  ExpQuotient(const fmpz_poly_t top, const fmpz_poly_t bottom, const Rational& step);
  ExpQuotient(const ExpQuotient& other);
  ExpQuotient(ExpQuotient&& other) noexcept;
  ExpQuotient& operator=(ExpQuotient other) noexcept;
  ~ExpQuotient();

  /// Returns the constant with this number's step, so that arithmetic between the two need not change steps.
  ExpQuotient constant_beside(const Rational& constant) const { return ExpQuotient(constant, step_); }

  /// Returns exp(exponent) for a nonzero exponent.
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
  /// Computes an enclosure at the given working precision. It may be wide; it always contains the value.
  void enclose(arb_t result, slong precision) const;
  std::size_t hash() const;
  std::size_t bits() const;
  /// Returns an upper bound on the bits of all coefficients together.
  std::size_t size() const;
  /// Counts for the text of both polynomials: nonzero coefficients and their bits.
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

/// Returns the largest rational of which both are integer multiples.
Rational rational_gcd(const Rational& a, const Rational& b);
void set_fmpz(fmpz_t target, const Integer& value);
Integer integer_of(const fmpz_t value);
void set_arb(arb_t target, const Rational& value, slong precision);
/// Writes an integer or a quotient in the grammar; splits literals that exceed the reader's limit on digits.
std::string integer_text(const Integer& value);
std::string rational_text(const Rational& value);

}  // namespace oddsbound::exact
