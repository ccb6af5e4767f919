// Decimals around an exact number: what a person reads beside the exact value. Computed with Arb, rounded outward.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "verifier/exact/level.h"
#include "verifier/exact/number.h"

namespace oddsbound::exact {

/// lower <= value <= upper, as decimals; equal when the value is a decimal of at most 17 digits itself.
struct DecimalBounds {
  std::string lower;
  std::string upper;
};

DecimalBounds decimal_bounds(const Number& number, int digits = 17);
/// The number as a decimal where it is one of few digits, else in the grammar.
std::string decimal_text(const Number& number);
/// The same for log(exponential), in nats; "inf" for an infinite level.
DecimalBounds decimal_bounds(const Level& level, int digits = 17);

/// The same, to so many digits, for a sum that is not 0. Throws LimitError past the budget of the thread.
DecimalBounds decimal_bounds(std::span<const WeightedLog> sum, int digits = 17);

enum class LogSign { kNegative = -1, kUnknown = 0, kPositive = 1 };
/// The sign of 1 - a/b - c/d for levels a, b, c, d (b, d > 0), as far as enclosures of up to `precision` bits tell.
LogSign sign_of_budget(const Level& a, const Level& b, const Level& c, const Level& d, long precision);

// The binary expansion of an exact number, to any length: what a sampler compares a uniform variate with.

/// The first `words` 64-bit digits of a number in [0, 1): floor(number * 2^(64 * words)), most significant word first.
/// Exact: for numbers that are not rational an enclosure is refined until both its ends have the same digits.
/// Throws NumberError outside [0, 1).
std::vector<std::uint64_t> binary_digits(const Number& number, unsigned words);

/// How many binary digits a number in [0, 1) has after the point; UINT32_MAX if they do not end.
std::uint32_t binary_length(const Number& number);

}  // namespace oddsbound::exact
