// The representation of Number. For files of verifier/exact only (heavy headers).
#pragma once

#include <flint/fmpz_poly_q.h>

#include <boost/multiprecision/gmp.hpp>
#include <limits>
#include <variant>

#include "verifier/exact/exp_quotient.h"
#include "verifier/exact/number.h"
#include "verifier/exact/surd.h"
#include "verifier/exact/symbol_quotient.h"

namespace oddsbound {

struct Number::Heavy {
  std::variant<exact::Rational, exact::ExpQuotient, exact::SymbolQuotient> value;
};

}  // namespace oddsbound

namespace oddsbound::exact {

using Wide = __int128;
constexpr Wide kWordMax = std::numeric_limits<std::int64_t>::max();
constexpr Wide magnitude(Wide value) { return value < 0 ? -value : value; }

/// Returns a Number for a rational, inline if it fits machine words.
Number make_number(const Rational& value);
/// Returns a Number for a quotient in exp; rational if the quotient is constant.
Number make_number(ExpQuotient value);
/// Returns a Number for a function of symbols; without symbols if it depends on none.
Number make_number(SymbolQuotient value);
/// Returns the rational value. The number must be rational.
Rational rational_of(const Number& number);
/// Returns the quotient in exp if the number is one, otherwise null.
const ExpQuotient* quotient_of(const Number& number);
Integer wide_integer(Wide value);

/// Values of FLINT that end with their scope.
class Fmpz {
 public:
  Fmpz() { fmpz_init(value_); }
  /// The number with these words, the lowest first.
  Fmpz(const unsigned long* words, std::size_t count) : Fmpz() {
    fmpz_set_ui_array(value_, words, static_cast<slong>(count));
  }
  explicit Fmpz(const Integer& value) : Fmpz() { set_fmpz(value_, value); }
  ~Fmpz() { fmpz_clear(value_); }
  Fmpz(const Fmpz&) = delete;
  Fmpz& operator=(const Fmpz&) = delete;
  fmpz* get() { return value_; }

 private:
  fmpz_t value_;
};

class UnivariatePolynomial {
 public:
  UnivariatePolynomial() { fmpz_poly_init(value_); }
  ~UnivariatePolynomial() { fmpz_poly_clear(value_); }
  UnivariatePolynomial(const UnivariatePolynomial&) = delete;
  UnivariatePolynomial& operator=(const UnivariatePolynomial&) = delete;
  fmpz_poly_struct* get() { return value_; }

 private:
  fmpz_poly_t value_;
};

inline std::size_t bits_of(const Integer& value) { return mpz_sizeinbase(value.backend().data(), 2); }
/// Computes an enclosure at the given working precision. It may be wide; it always contains the number. Throws
/// NumberError for a number that depends on symbols.
void enclose_number(arb_t result, const Number& number, slong precision);
void enclose_surd(arb_t result, const Surd& surd, slong precision);
/// As Number::approx.
double approx_of(const ExpQuotient& quotient);
double approx_of(const Rational& rational);
/// Returns the double nearest to the midpoint; 0 or +-infinity if its magnitude lies outside [2^-1000, 2^1000].
double near_double(const arb_t value);

}  // namespace oddsbound::exact
