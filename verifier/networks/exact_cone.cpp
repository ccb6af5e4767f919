#include "verifier/networks/exact_cone.h"

#include <algorithm>
#include <cstddef>

namespace oddsbound::networks {

namespace {

// The sign, where it is known.
std::optional<int> sign_of(const Number& number) { return number.sign(); }
std::optional<int> sign_of(const Interval& interval) {
  if (interval.is_zero()) return 0;
  if (interval.is_positive()) return 1;
  if (interval.is_negative()) return -1;
  return std::nullopt;
}

// Any will do; of intervals the largest loses least.
bool is_better_pivot(const Number& /*entry*/, const Number& than) { return than.is_zero(); }
bool is_better_pivot(const Interval& entry, const Interval& than) { return entry.is_larger_than(than); }

// Gauss and Jordan, a row for each entry; the last column is the vector. Left are the weights, and below them what is 0
// if there are any. None if the pivots' signs are not known; empty if there are none.
template <class Entry>
std::optional<std::vector<Entry>> solved(const std::vector<std::vector<Entry>>& rays, const std::vector<Entry>& vector,
                                         Budget& budget) {
  const std::size_t columns = rays.size();
  std::vector<std::vector<Entry>> rows(vector.size(), std::vector<Entry>(columns + 1));
  for (std::size_t x = 0; x < rows.size(); ++x) {
    for (std::size_t k = 0; k < columns; ++k) rows[x][k] = rays[k][x];
    rows[x][columns] = vector[x];
  }
  if (columns > rows.size()) return std::vector<Entry>{};
  for (std::size_t k = 0; k < columns; ++k) {
    std::size_t pivot = k;
    for (std::size_t x = k + 1; x < rows.size(); ++x) {
      if (is_better_pivot(rows[x][k], rows[pivot][k])) pivot = x;
    }
    const std::optional<int> sign = sign_of(rows[pivot][k]);
    if (!sign) return std::nullopt;
    if (*sign == 0) return std::vector<Entry>{};
    std::swap(rows[k], rows[pivot]);
    for (std::size_t j = columns + 1; j-- > k;) rows[k][j] /= rows[k][k];
    for (std::size_t x = 0; x < rows.size(); ++x) {
      if (x == k || rows[x][k].is_zero()) continue;
      budget.tick();
      for (std::size_t j = columns + 1; j-- > k;) rows[x][j] -= rows[x][k] * rows[k][j];
    }
  }
  std::vector<Entry> result;
  for (std::vector<Entry>& row : rows) result.push_back(std::move(row[columns]));
  return result;
}

template <class Entry>
std::optional<bool> decided(const std::vector<std::vector<Entry>>& rays, const std::vector<Entry>& vector,
                            Budget& budget) {
  const std::optional<std::vector<Entry>> solution = solved(rays, vector, budget);
  if (!solution) return std::nullopt;
  if (solution->empty()) return false;
  bool is_known = true;
  for (std::size_t x = 0; x < solution->size(); ++x) {
    const std::optional<int> sign = sign_of((*solution)[x]);
    if (!sign) is_known = false;
    if (sign && (*sign < 0 || (x >= rays.size() && *sign != 0))) return false;
  }
  return is_known ? std::optional(true) : std::nullopt;
}

}  // namespace

bool is_combination(const std::vector<std::vector<Number>>& rays, const std::vector<Number>& vector, Budget& budget) {
  return decided(rays, vector, budget).value();
}

std::optional<bool> is_combination(const std::vector<std::vector<Interval>>& rays, const std::vector<Interval>& vector,
                                   Budget& budget) {
  return decided(rays, vector, budget);
}

}  // namespace oddsbound::networks
