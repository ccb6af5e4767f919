// Powers with rational exponents, where they stay in K.
#pragma once

#include "verifier/exact/number.h"

namespace oddsbound::exact {

/// number^power for a positive number and a rational power. Throws NumberError if the result is not in K, as for the
/// square root of 3.
Number rational_power(const Number& number, const Number& power);

/// A positive rational as root^degree, the degree as large as can be; the number itself with degree 1 where it is 1, is
/// no power, or has more than 8,192 bits.
struct PowerOfRoot {
  Number root;
  unsigned long degree = 1;
};
PowerOfRoot smallest_root(const Number& number);

}  // namespace oddsbound::exact
