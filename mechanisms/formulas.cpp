#include "mechanisms/formulas.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "base/errors.h"

namespace oddsbound::mechanisms {

Number whole(std::uint64_t integer) {
  if (integer > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    throw LimitError("a count passes 2^63");
  }
  return Number(static_cast<std::int64_t>(integer));
}

Number odds_share(const Level& level, const Number& weight, const Number& rest) {
  if (level.is_infinite()) return Number(1);
  const Number favoured = level.exponential() * weight;
  return favoured / (favoured + rest);
}

bool is_informative(const Level& level) {
  return level.is_infinite() || (!level.is_zero() && !level.exponential().has_symbols());
}

Number sign_gain(const Level& level) {
  if (level.is_infinite()) return Number(1);
  return (level.exponential() + Number(1)) / (level.exponential() - Number(1));
}

std::int64_t nearest_integer(const Number& number) {
  const double approx = number.approx();
  if (std::abs(approx) > 9e18) throw LimitError("a parameter passes 64 bits");
  const Number shifted = number + Number::ratio(1, 2);
  auto floor = static_cast<std::int64_t>(std::floor(approx));
  while (Number(floor) > shifted) --floor;
  while (Number(floor + 1) <= shifted) ++floor;
  return floor;
}

std::uint64_t binomial(std::uint64_t n, std::uint64_t k) {
  if (k > n) return 0;
  k = std::min(k, n - k);
  unsigned __int128 result = 1;
  for (std::uint64_t i = 1; i <= k; ++i) {
    result = result * (n - k + i) / i;
    if (result >> 62 != 0) throw LimitError("a binomial coefficient passes 2^62");
  }
  return static_cast<std::uint64_t>(result);
}

}  // namespace oddsbound::mechanisms
