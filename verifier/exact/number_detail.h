// The inside of a Number, for the files of verifier/exact only (heavy headers).
#pragma once

#include <flint/fmpz_poly_q.h>

#include <boost/multiprecision/gmp.hpp>
#include <variant>

#include "verifier/exact/exp_quotient.h"
#include "verifier/exact/number.h"

namespace oddsbound {

struct Number::Heavy {
  std::variant<Rational, ExpQuotient> value;
};

/// A Number from a rational, in place if it fits machine words.
Number make_number(const Rational& value);
/// A Number from a quotient; rational if the quotient is constant.
Number make_number(ExpQuotient value);
/// The rational value. The number must be rational.
Rational rational_of(const Number& number);
/// The quotient if the number is not rational, else null.
const ExpQuotient* quotient_of(const Number& number);
Integer wide_integer(__int128 value);
/// An enclosure of the number at the given working precision; it may be wide, never wrong.
void enclose_number(arb_t result, const Number& number, slong precision);

}  // namespace oddsbound
