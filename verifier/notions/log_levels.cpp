#include "verifier/notions/log_levels.h"

#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"

namespace oddsbound::notions {

Level rounded_level(const std::string& decimal) {
  return Level::of_exponential(Number::exp_of(as_number(evaluate_expression(decimal))));
}

MeasuredLevel rounded_outward(std::span<const WeightedLog> sum, int digits) {
  const DecimalBounds bounds = decimal_bounds(sum, digits);
  MeasuredLevel measured{rounded_level(bounds.lower), {}};
  measured.unfinished =
      Unfinished{rounded_level(bounds.upper), "it is no logarithm that can be written, and is rounded outward"};
  return measured;
}

bool leaves_open(const MeasuredLevel& level, const Level& claimed) {
  const ClaimOutcome standing = standing_of(level, claimed);
  return standing.holds == Answer::kOpen || standing.tight == Answer::kOpen;
}

MeasuredLevel refined_outward(std::span<const WeightedLog> sum, const Level& claimed, bool differs) {
  constexpr int kMostDigits = 1100;
  for (int digits = kFirstDigits;; digits *= 2) {
    MeasuredLevel measured = rounded_outward(sum, digits);
    if (!leaves_open(measured, claimed)) return measured;
    if (!differs && 2 * digits > kMostDigits) {
      measured.unfinished->reason = std::to_string(digits) + " digits do not distinguish it from the claimed level";
      return measured;
    }
  }
}

}  // namespace oddsbound::notions
