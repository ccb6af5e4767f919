#include "verifier/model/rounded_rows.h"

#include <algorithm>

namespace oddsbound::model {

// The row is the set { q : l <= q <= u, sum q = 1 } with l = max(0, p - t) and u = min(1, p + t). It is not empty iff
// l <= u and sum l <= 1 <= sum u. Its sums are an interval, so q[y] takes every value from max(l[y], 1 - sum of the
// other u) to min(u[y], 1 - sum of the other l).
bool RoundedRows::add(std::span<const Number> printed) {
  std::vector<Number> low, high;
  Number sum_low(0), sum_high(0);
  for (const Number& p : printed) {
    const bool is_fixed = exact_zeros && p.is_zero();
    low.push_back(is_fixed ? Number(0) : std::max(Number(0), p - tolerance));
    high.push_back(is_fixed ? Number(0) : std::min(Number(1), p + tolerance));
    if (low.back() > high.back()) return false;
    sum_low += low.back();
    sum_high += high.back();
  }
  if (sum_low > Number(1) || sum_high < Number(1)) return false;
  for (std::size_t y = 0; y < printed.size(); ++y) {
    const Number l = low[y];
    low[y] = std::max(l, Number(1) - (sum_high - high[y]));
    high[y] = std::min(high[y], Number(1) - (sum_low - l));
  }
  least.push_back(std::move(low));
  most.push_back(std::move(high));
  return true;
}

// If the sum is below 1, every free entry rises by the same amount. Otherwise the m largest entries fall by t =
// (their sum - 1) / m and all others, which are at most t, to 0: this is the largest t over m.
std::optional<Number> smallest_tolerance(std::span<const Number> printed, bool exact_zeros) {
  std::vector<Number> entries;
  Number sum(0);
  for (const Number& p : printed) {
    if (!exact_zeros || !p.is_zero()) entries.push_back(p);
    sum += p;
  }
  if (entries.empty()) return std::nullopt;
  if (sum <= Number(1)) return (Number(1) - sum) / Number(static_cast<std::int64_t>(entries.size()));
  std::sort(entries.begin(), entries.end(), [](const Number& a, const Number& b) { return b < a; });
  Number largest(0), of_first(0);
  for (std::size_t m = 0; m < entries.size(); ++m) {
    of_first += entries[m];
    largest = std::max(largest, (of_first - Number(1)) / Number(static_cast<std::int64_t>(m + 1)));
  }
  return largest;
}

// The bounds of a row surround a row of the set: sum of least <= 1 <= sum of most.
std::vector<std::vector<Number>> RoundedRows::member() const {
  std::vector<std::vector<Number>> rows = least;
  for (std::size_t x = 0; x < rows.size(); ++x) {
    Number missing(1), room(0);
    for (std::size_t y = 0; y < rows[x].size(); ++y) {
      missing -= least[x][y];
      room += most[x][y] - least[x][y];
    }
    if (room.is_zero()) continue;
    const Number share = missing / room;
    for (std::size_t y = 0; y < rows[x].size(); ++y) rows[x][y] += share * (most[x][y] - least[x][y]);
  }
  return rows;
}

}  // namespace oddsbound::model
