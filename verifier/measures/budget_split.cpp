#include "verifier/measures/budget_split.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/errors.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"
#include "verifier/exact/interval.h"
#include "verifier/measures/tradeoff.h"

namespace oddsbound::measures {

namespace {

constexpr int kDigits = 40;

// least <= value <= most
struct Enclosed {
  Number least, most;
};

Enclosed nats_of(const Level& level) {
  const DecimalBounds bounds = decimal_bounds(level, kDigits);
  return {parse_number(bounds.lower), parse_number(bounds.upper)};
}

// A sum of levels.
struct LevelSum {
  bool is_infinite = false;
  Enclosed nats{Number(0), Number(0)};  // if it is finite
  std::optional<Level> exact;           // null: its exponents have too many different fractions

  bool is_zero() const { return !is_infinite && nats.most.is_zero(); }
};

LevelSum sum_of_level(const Level& level) {
  if (level.is_infinite()) return {true, {}, level};
  return {false, nats_of(level), level};
}

LevelSum operator+(const LevelSum& a, const LevelSum& b) {
  if (a.is_infinite || b.is_infinite) return {true, {}, Level::infinite()};
  LevelSum sum{false, {a.nats.least + b.nats.least, a.nats.most + b.nats.most}, std::nullopt};
  if (!a.exact || !b.exact) return sum;
  try {
    sum.exact = *a.exact + *b.exact;
  } catch (const NumberError&) {
    // Exact numbers do not hold the sum.
  } catch (const LimitError&) {
    // The same.
  }
  return sum;
}

// [coordinate]: the sum of the other levels.
std::vector<LevelSum> sums_of_others(std::span<const Level> levels) {
  std::vector<LevelSum> sums(levels.size());
  LevelSum before = sum_of_level(Level()), after = before;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    sums[i] = before;
    before = before + sum_of_level(levels[i]);
  }
  for (std::size_t i = levels.size(); i-- > 0;) {
    sums[i] = sums[i] + after;
    after = after + sum_of_level(levels[i]);
  }
  return sums;
}

// log(1 + weight (e^nats - 1)) for weight > 0 and nats >= 0; nullopt if it is too large.
std::optional<Number> mixed_bound(const Number& nats, const Number& weight, bool upper) {
  if (nats.is_zero()) return Number(0);
  constexpr slong kBits = 256;
  Ball value(nats, kBits);
  const Ball factor(weight, kBits);
  arb_expm1(value.get(), value.get(), kBits);
  arb_mul(value.get(), value.get(), factor.get(), kBits);
  arb_log1p(value.get(), value.get(), kBits);
  const std::optional<DecimalBounds> bounds = decimal_bounds(value, kBits, kDigits);
  if (!bounds) return std::nullopt;
  return parse_number(upper ? bounds->upper : bounds->lower);
}

std::optional<Enclosed> mixed_bounds(const Enclosed& nats, const Number& weight) {
  if (weight.is_one()) return nats;
  const std::optional<Number> least = mixed_bound(nats.least, weight, false);
  const std::optional<Number> most = mixed_bound(nats.most, weight, true);
  if (!least || !most) return std::nullopt;
  return Enclosed{*least, *most};
}

// own + log(1 + weight (e^others - 1)), exactly.
Level first_bound(const Level& own, const Number& weight, const Level& others) {
  return bcdp_from_cdp(std::array{own, others}, weight, 0);
}

// kOpen if exact numbers cannot decide it.
Answer exactly(const auto& holds) {
  try {
    return answer_of(holds());
  } catch (const NumberError&) {
    return Answer::kOpen;
  } catch (const LimitError&) {
    return Answer::kOpen;
  }
}

// own / delta + others / log(1 + (e^delta - 1)/q) <= 1.
Answer row_condition(const Level& delta, const Number& correlation, const Level& own, const LevelSum& others) {
  if (delta.is_infinite()) return Answer::kYes;
  if (own.is_infinite() || (others.is_infinite && !correlation.is_zero())) return Answer::kNo;
  if (correlation.is_zero() || others.is_zero()) return exactly([&] { return own <= delta; });
  if (delta.is_zero()) return Answer::kNo;
  const Enclosed most_of_own = nats_of(delta);
  const std::optional<Enclosed> capacity = mixed_bounds(most_of_own, Number(1) / correlation);
  if (!capacity) return Answer::kOpen;
  const Enclosed own_nats = nats_of(own), &other_nats = others.nats;
  const Number least = own_nats.least / most_of_own.most + other_nats.least / capacity->most;
  const Number most = own_nats.most / most_of_own.least + other_nats.most / capacity->least;
  if (most <= Number(1)) return Answer::kYes;
  if (least > Number(1)) return Answer::kNo;
  if (!own.is_zero() || !others.exact) return Answer::kOpen;
  return exactly([&] { return *others.exact <= first_bound(Level(), Number(1) / correlation, delta); });
}

Level level_of_nats(const Number& nats) { return Level::of_exponential(Number::exp_of(nats)); }

// The same for a weight of at most 1, rounded up to 17 digits where it is not a sum of the levels that exact numbers
// hold.
Level rounded_bound(const Level& own, const Number& correlation, const LevelSum& others) {
  if (correlation.is_zero() || others.is_zero()) return own;
  if (own.is_infinite() || others.is_infinite) return Level::infinite();
  if (correlation.is_one()) {
    const LevelSum all = sum_of_level(own) + others;
    if (all.exact) return *all.exact;
  }
  const std::optional<Number> mixed = mixed_bound(others.nats.most, correlation, true);
  return level_of_nats(rounded_decimal(nats_of(own).most + mixed.value_or(others.nats.most), true));
}

}  // namespace

Level total_at_most(std::span<const Level> levels) {
  LevelSum total = sum_of_level(Level());
  for (const Level& level : levels) total = total + sum_of_level(level);
  return total.exact ? *total.exact : level_of_nats(rounded_decimal(total.nats.most, true));
}

Answer proposition_6(std::span<const Level> deltas, std::span<const Number> correlations, std::span<const Level> cdp) {
  const std::vector<LevelSum> others = sums_of_others(cdp);
  Answer result = Answer::kYes;
  for (std::size_t i = 0; i < deltas.size(); ++i) {
    result = both(result, row_condition(deltas[i], correlations[i], cdp[i], others[i]));
  }
  return result;
}

std::vector<Level> proposition_4_bounds(std::span<const Level> cdp, std::span<const Number> correlations,
                                        std::span<const std::optional<Level>> deltas, const Level& ldp) {
  const std::vector<LevelSum> others = sums_of_others(cdp);
  std::vector<Level> bounds;
  for (std::size_t i = 0; i < cdp.size(); ++i) {
    try {
      if (!others[i].exact) throw LimitError("the sum of the levels is too long");
      const Level first = first_bound(cdp[i], correlations[i], *others[i].exact);
      bounds.push_back(std::min(first, bcdp_from_cdp_and_ldp(cdp[i], correlations[i], ldp)));
      if (deltas[i]) static_cast<void>(*deltas[i] < bounds[i]);
      continue;
    } catch (const NumberError&) {
      // Exact numbers do not hold the bound.
    } catch (const LimitError&) {
      // The same.
    }
    bounds.resize(i);
    const Level by_ldp = std::min(rounded_bound(cdp[i], correlations[i], sum_of_level(ldp)), ldp);
    bounds.push_back(std::min(rounded_bound(cdp[i], correlations[i], others[i]), by_ldp));
  }
  return bounds;
}

std::vector<Level> largest_split(std::span<const Level> deltas, std::span<const Number> correlations, SplitBy by) {
  constexpr std::int64_t kUnits = std::int64_t{1} << 40;
  std::vector<Number> nats;
  for (const Level& delta : deltas) nats.push_back(nats_of(delta).least);
  const auto split = [&](std::int64_t units) {
    std::vector<Level> cdp;
    for (const Number& delta : nats) {
      const Number level = delta * Number::ratio(units, kUnits);
      // At least three digits, also of small levels.
      Number parts(1000);
      for (int zeros = 0; zeros < 20 && level * parts < Number(1000); ++zeros) parts = parts * Number(10);
      cdp.push_back(level_of_nats(floor_of(level * parts) / parts));
    }
    return cdp;
  };
  const auto keeps = [&](std::int64_t units) {
    const std::vector<Level> cdp = split(units);
    if (by == SplitBy::kProposition6) return proposition_6(deltas, correlations, cdp) == Answer::kYes;
    const std::vector<LevelSum> others = sums_of_others(cdp);
    for (std::size_t i = 0; i < cdp.size(); ++i) {
      if (!(rounded_bound(cdp[i], correlations[i], others[i]) <= deltas[i])) return false;
    }
    return true;
  };
  if (keeps(kUnits)) return split(kUnits);
  std::int64_t low = 0, high = kUnits;  // keeps(low), not keeps(high)
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (keeps(middle) ? low : high) = middle;
  }
  return split(low);
}

}  // namespace oddsbound::measures
