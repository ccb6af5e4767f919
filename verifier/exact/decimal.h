// Decimals around an exact number: what a person reads beside the exact value. Computed with Arb, rounded outward.
#pragma once

#include <span>
#include <string>

#include "verifier/exact/log_sum.h"

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

}  // namespace oddsbound::exact
