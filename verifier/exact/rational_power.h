// Powers with rational exponents, where they stay in K.
#pragma once

#include "verifier/exact/number.h"

namespace oddsbound::exact {

/// number^power for a positive number and a rational power. Throws NumberError if the result is not in K, as for the
/// square root of 3.
Number rational_power(const Number& number, const Number& power);

}  // namespace oddsbound::exact
