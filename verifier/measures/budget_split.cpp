#include "verifier/measures/budget_split.h"

#include <cmath>
#include <string>

#include "base/errors.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"
#include "verifier/measures/tradeoff.h"

namespace oddsbound::measures {

namespace {

Level sum_but(std::span<const Level> levels, std::size_t left_out) {
  Level sum;
  for (std::size_t j = 0; j < levels.size(); ++j) sum = j == left_out ? sum : sum + levels[j];
  return sum;
}

// own / delta + others / log(1 + (e^delta - 1)/q) <= 1.
Answer row_condition(const Level& delta, const Number& correlation, const Level& own, const Level& others) {
  if (delta.is_infinite()) return Answer::kYes;
  if (own.is_infinite() || (others.is_infinite() && !correlation.is_zero())) return Answer::kNo;
  if (correlation.is_zero() || others.is_zero()) return answer_of(own <= delta);
  const Surd one(Number(1));
  const Level capacity = Level::of_surd(one + (delta.exponential_as_surd() - one) / Surd(correlation));
  if (own.is_zero()) return answer_of(others <= capacity);
  if (delta.is_zero() || own > delta || others > capacity) return Answer::kNo;
  constexpr int kDigits = 40;
  const auto bounds = [](const Level& level) { return decimal_bounds(level, kDigits); };
  const auto quotient = [](const std::string& of, const std::string& by) {
    return parse_number(of) / parse_number(by);
  };
  const Number least =
      quotient(bounds(own).lower, bounds(delta).upper) + quotient(bounds(others).lower, bounds(capacity).upper);
  const Number most =
      quotient(bounds(own).upper, bounds(delta).lower) + quotient(bounds(others).upper, bounds(capacity).lower);
  return most <= Number(1) ? Answer::kYes : least > Number(1) ? Answer::kNo : Answer::kOpen;
}

}  // namespace

Answer proposition_6(std::span<const Level> deltas, std::span<const Number> correlations, std::span<const Level> cdp) {
  Answer result = Answer::kYes;
  for (std::size_t i = 0; i < deltas.size(); ++i) {
    result = both(result, row_condition(deltas[i], correlations[i], cdp[i], sum_but(cdp, i)));
  }
  return result;
}

bool keeps_by_proposition_4(std::span<const Level> deltas, std::span<const Number> correlations,
                            std::span<const Level> cdp) {
  for (std::size_t i = 0; i < deltas.size(); ++i) {
    if (!(bcdp_from_cdp(cdp, correlations[i], i) <= deltas[i])) return false;
  }
  return true;
}

namespace {

// The same with c_i rounded down to multiples of 1/parts.
std::vector<Level> split_into(std::span<const Level> deltas, std::span<const Number> correlations, SplitBy by,
                              std::int64_t parts) {
  constexpr std::int64_t kUnits = std::int64_t{1} << 20;
  const auto split = [&](std::int64_t units) {
    std::vector<Level> cdp;
    for (const Level& delta : deltas) {
      const Number most = parse_number(decimal_bounds(delta).lower) * Number::ratio(units * parts, kUnits);
      auto whole = static_cast<std::int64_t>(std::floor(most.approx()));
      while (whole > 0 && Number(whole) > most) --whole;
      cdp.push_back(whole <= 0 ? Level() : Level::of_exponential(Number::exp_of(Number::ratio(whole, parts))));
    }
    return cdp;
  };
  const auto keeps = [&](std::int64_t units) {
    const std::vector<Level> cdp = split(units);
    return by == SplitBy::kProposition4 ? keeps_by_proposition_4(deltas, correlations, cdp)
                                        : proposition_6(deltas, correlations, cdp) == Answer::kYes;
  };
  if (keeps(kUnits)) return split(kUnits);
  std::int64_t low = 0, high = kUnits;  // keeps(low), not keeps(high)
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (keeps(middle) ? low : high) = middle;
  }
  return split(low);
}

}  // namespace

std::vector<Level> largest_split(std::span<const Level> deltas, std::span<const Number> correlations, SplitBy by) {
  // Exponents with fine fractions are too long for exact numbers where levels are large: fewer parts then.
  for (const std::int64_t parts : {1000, 200, 40, 8}) {
    try {
      return split_into(deltas, correlations, by, parts);
    } catch (const NumberError&) {
      // The exponents are too fine.
    } catch (const LimitError&) {
      // The same.
    }
  }
  return split_into(deltas, correlations, by, 1);
}

}  // namespace oddsbound::measures
