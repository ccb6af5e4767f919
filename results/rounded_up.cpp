#include "results/rounded_up.h"

#include <vector>

#include "verifier/exact/decimal.h"

namespace oddsbound::results {

namespace {

bool is_short(const DecimalBounds& bounds) {
  constexpr std::size_t kShort = 8;
  return bounds.lower == bounds.upper && bounds.lower.size() <= kShort;
}

std::string above(const DecimalBounds& bounds, const WeightedLog& value, int digits) {
  if (is_short(bounds)) return bounds.upper;
  const std::vector<WeightedLog> sum{value};
  return decimal_bounds(sum, digits).upper;
}

}  // namespace

std::string rounded_up(const Number& number, int digits) {
  return above(decimal_bounds(number), {number, Number::exp_of(Number(1))}, digits);
}

std::string rounded_up(const Level& level) {
  constexpr int kDigits = 6;
  return level.is_infinite() ? "inf" : above(decimal_bounds(level), {Number(1), level.exponential()}, kDigits);
}

bool is_short_decimal(const Level& level) { return !level.is_infinite() && is_short(decimal_bounds(level)); }

}  // namespace oddsbound::results
