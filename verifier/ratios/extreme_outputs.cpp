#include "verifier/ratios/extreme_outputs.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

namespace oddsbound::ratios {

namespace {

using NumberRows = std::vector<std::vector<Number>>;

// More are rarely told apart by one part, and take too long.
constexpr std::size_t kMostTried = 16;

// The output in which each class has the largest share.
std::vector<std::size_t> corners_of(const NumberRows& columns, Budget& budget) {
  std::vector<Number> sums;
  for (const std::vector<Number>& column : columns) {
    budget.tick();
    sums.push_back(std::accumulate(column.begin(), column.end(), Number(0)));
  }
  std::vector<std::size_t> corners(columns[0].size(), 0);
  for (std::size_t c = 0; c < corners.size(); ++c) {
    for (std::size_t y = 1; y < columns.size(); ++y) {
      budget.tick();
      if (compare_products(columns[y][c], sums[corners[c]], columns[corners[c]][c], sums[y]) > 0) corners[c] = y;
    }
  }
  return corners;
}

// Of the matrix whose columns are those of the corners; none if it has none.
std::optional<NumberRows> inverse_of(const NumberRows& columns, const std::vector<std::size_t>& corners,
                                     Budget& budget) {
  const std::size_t n = corners.size();
  NumberRows left(n), right(n, std::vector<Number>(n, Number(0)));
  for (std::size_t r = 0; r < n; ++r) {
    for (const std::size_t corner : corners) left[r].push_back(columns[corner][r]);
    right[r][r] = Number(1);
  }
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    while (pivot < n && left[pivot][k].is_zero()) ++pivot;
    if (pivot == n) return std::nullopt;
    std::swap(left[pivot], left[k]);
    std::swap(right[pivot], right[k]);
    const Number scale = Number(1) / left[k][k];
    for (std::size_t c = 0; c < n; ++c) {
      left[k][c] *= scale;
      right[k][c] *= scale;
    }
    for (std::size_t r = 0; r < n; ++r) {
      if (r == k || left[r][k].is_zero()) continue;
      const Number factor = left[r][k];
      for (std::size_t c = 0; c < n; ++c) {
        budget.tick();
        left[r][c] -= factor * left[k][c];
        right[r][c] -= factor * right[k][c];
      }
    }
  }
  return right;
}

bool is_a_sum(const std::vector<Number>& column, const NumberRows& inverse, Budget& budget) {
  std::vector<WeightedTerm> terms;
  for (const std::vector<Number>& row : inverse) {
    budget.tick();
    terms.clear();
    for (std::size_t c = 0; c < column.size(); ++c) terms.push_back({row[c], column[c]});
    if (weighted_sum(terms).sign() < 0) return false;
  }
  return true;
}

}  // namespace

std::vector<std::size_t> needed_outputs(const std::vector<std::vector<Number>>& columns, Budget& budget) {
  std::vector<std::size_t> all(columns.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const std::size_t classes = columns.empty() ? 0 : columns[0].size();
  if (classes < 2 || classes > kMostTried || columns.size() <= classes) return all;
  const std::vector<std::size_t> corners = corners_of(columns, budget);
  const std::set<std::size_t> kept(corners.begin(), corners.end());
  if (kept.size() < classes) return all;
  const std::optional<NumberRows> inverse = inverse_of(columns, corners, budget);
  if (!inverse) return all;
  std::erase_if(all, [&](std::size_t y) { return !kept.contains(y) && is_a_sum(columns[y], *inverse, budget); });
  return all;
}

}  // namespace oddsbound::ratios
