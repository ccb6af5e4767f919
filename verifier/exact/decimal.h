// Decimal and binary digits of exact numbers. Decimals are shown beside the exact value; Arb computes them,
// rounded outward. Binary digits are what a sampler compares a uniform variate with.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "verifier/exact/level.h"
#include "verifier/exact/number.h"

namespace oddsbound::exact {

/// lower <= value <= upper, as decimals; equal if the value is itself a decimal of at most 17 digits.
struct DecimalBounds {
  std::string lower;
  std::string upper;
};

/// Returns bounds with `digits` significant digits, which differ in about the last one unless they are equal.
DecimalBounds decimal_bounds(const Number& number, int digits = 17);
/// Returns the bound of the number above, or below, as a number.
Number rounded_decimal(const Number& number, bool up, int digits = 17);
/// Returns the number as a decimal if it has an exact one of at most 12 characters, otherwise in the expression
/// grammar.
std::string decimal_text(const Number& number);
/// The same for a level in nats, log(exponential); "inf" for an infinite level.
DecimalBounds decimal_bounds(const Level& level, int digits = 17);

class ScaledLevel;
/// The same for a level times a distance.
DecimalBounds decimal_bounds(const ScaledLevel& level, int digits = 17);

class Ball;
/// The same for any value in a ball; nullopt if the ball is too wide. `precision`: working precision in bits.
std::optional<DecimalBounds> decimal_bounds(const Ball& value, long precision, int digits = 17);

/// The same for the value of a sum that is not 0. Throws LimitError past the thread's budget.
DecimalBounds decimal_bounds(std::span<const WeightedLog> sum, int digits = 17);

// The binary expansion of an exact number, to any length.

/// Returns the first `words` 64-bit digits of a number in [0, 1), most significant first: floor(number * 2^(64 *
/// words)). Exact: for irrational numbers an enclosure is refined until both ends have the same digits. Throws
/// NumberError outside [0, 1).
std::vector<std::uint64_t> binary_digits(const Number& number, unsigned words);

/// Returns how many binary digits a number in [0, 1) has after the point; UINT32_MAX if the expansion is infinite.
std::uint32_t binary_length(const Number& number);

}  // namespace oddsbound::exact
