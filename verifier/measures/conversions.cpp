#include "verifier/measures/conversions.h"

#include <algorithm>
#include <optional>

#include "verifier/exact/decimal.h"

namespace oddsbound::measures {

namespace {

// log(1 + q e^level - q)
Level mixed(const Level& level, const Number& correlation) {
  if (correlation.is_zero()) return Level();
  if (level.is_infinite()) return Level::infinite();
  return Level::of_surd(Surd(Number(1) - correlation) + Surd(correlation) * level.exponential_as_surd());
}

Sufficiency as_sufficiency(bool satisfied) { return satisfied ? Sufficiency::kSatisfied : Sufficiency::kViolated; }

// The level itself if it is rational.
std::optional<Number> rational_level(const Level& level) {
  Surd coefficient;
  Number exponent;
  if (!level.exponential_as_surd().is_monomial(coefficient, exponent) || !coefficient.is_one()) return std::nullopt;
  return exponent;
}

// own / delta + others / log(1 + (e^delta - 1)/q) <= 1
Sufficiency row_condition(const Level& delta, const Number& correlation, const Level& own, const Level& others) {
  if (delta.is_infinite()) return Sufficiency::kSatisfied;
  if (own.is_infinite() || (others.is_infinite() && !correlation.is_zero())) return Sufficiency::kViolated;
  if (correlation.is_zero() || others.is_zero()) return as_sufficiency(own <= delta);
  const Surd one(Number(1));
  const Level capacity = Level::of_surd(one + (delta.exponential_as_surd() - one) / Surd(correlation));
  if (own.is_zero()) return as_sufficiency(others <= capacity);
  if (delta.is_zero() || own > delta || others > capacity) return Sufficiency::kViolated;
  const auto a = rational_level(own), b = rational_level(delta), c = rational_level(others),
             d = rational_level(capacity);
  if (a && b && c && d) return as_sufficiency(*a / *b + *c / *d <= Number(1));
  switch (sign_of_budget(own, delta, others, capacity, 4096)) {
    case LogSign::kPositive: return Sufficiency::kSatisfied;
    case LogSign::kNegative: return Sufficiency::kViolated;
    case LogSign::kUnknown: break;
  }
  return Sufficiency::kUndecided;
}

Level sum_of_others(std::span<const Level> levels, std::size_t coordinate) {
  Level sum;
  for (std::size_t j = 0; j < levels.size(); ++j) {
    if (j != coordinate) sum = sum + levels[j];
  }
  return sum;
}

}  // namespace

Level bcdp_from_ldp(const Level& ldp) { return ldp; }

Level bcdp_from_cdp(std::span<const Level> cdp, const Number& correlation, std::size_t coordinate) {
  return cdp[coordinate] + mixed(sum_of_others(cdp, coordinate), correlation);
}

Level bcdp_from_cdp_and_ldp(const Level& cdp, const Number& correlation, const Level& ldp) {
  return std::min(cdp + mixed(ldp, correlation), ldp);
}

Level proposition_4_bound(std::span<const Level> cdp, const Number& correlation, std::size_t coordinate,
                          const Level& ldp) {
  return std::min(bcdp_from_cdp(cdp, correlation, coordinate),
                  bcdp_from_cdp_and_ldp(cdp[coordinate], correlation, ldp));
}

Sufficiency proposition_6(std::span<const Level> deltas, std::span<const Number> correlations,
                          std::span<const Level> cdp) {
  Sufficiency result = Sufficiency::kSatisfied;
  for (std::size_t i = 0; i < deltas.size(); ++i) {
    const Sufficiency row = row_condition(deltas[i], correlations[i], cdp[i], sum_of_others(cdp, i));
    if (row == Sufficiency::kViolated) return row;
    if (row == Sufficiency::kUndecided) result = row;
  }
  return result;
}

}  // namespace oddsbound::measures
