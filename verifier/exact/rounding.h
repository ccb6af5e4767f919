// Rationals near a number.
#pragma once

#include <utility>

#include "verifier/exact/number.h"

namespace oddsbound::exact {

/// Rationals below and above a number, apart by about 2^-bits of it; a rational is its own bounds. The number must not
/// depend on symbols.
std::pair<Number, Number> rational_bounds(const Number& number, unsigned bits);

/// The largest integer that is not above the number.
Number floor_of(const Number& number);

/// The nearest multiple of 2^-bits that is not above (not below) the number.
Number rounded_down(const Number& number, unsigned bits);
Number rounded_up(const Number& number, unsigned bits);

/// The number, never too low (too high). It lies in [0, 1] and does not depend on symbols.
double rounded_above(const Number& number);
double rounded_below(const Number& number);

/// The rational that a finite double is.
Number number_of(double value);

/// The rational of least denominator in [low, high], rationals (Stern and Brocot); the one nearest to 0 if there are
/// several.
Number simplest_between(const Number& low, const Number& high);

}  // namespace oddsbound::exact
