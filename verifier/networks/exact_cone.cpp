#include "verifier/networks/exact_cone.h"

#include <algorithm>

namespace oddsbound::networks {

bool is_combination(const std::vector<std::vector<Number>>& rays, const std::vector<Number>& vector, Budget& budget) {
  // Gauss and Jordan, a row for each entry; the last column is the vector.
  const std::size_t columns = rays.size();
  std::vector<std::vector<Number>> rows(vector.size(), std::vector<Number>(columns + 1));
  for (std::size_t x = 0; x < rows.size(); ++x) {
    for (std::size_t k = 0; k < columns; ++k) rows[x][k] = rays[k][x];
    rows[x][columns] = vector[x];
  }
  if (columns > rows.size()) return false;
  for (std::size_t k = 0; k < columns; ++k) {
    const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(k);
    const auto pivot = std::find_if(begin, rows.end(), [&](const auto& row) { return !row[k].is_zero(); });
    if (pivot == rows.end()) return false;
    std::swap(*begin, *pivot);
    for (std::size_t j = columns + 1; j-- > k;) rows[k][j] /= rows[k][k];
    for (std::size_t x = 0; x < rows.size(); ++x) {
      if (x == k || rows[x][k].is_zero()) continue;
      budget.tick();
      for (std::size_t j = columns + 1; j-- > k;) rows[x][j] -= rows[x][k] * rows[k][j];
    }
  }
  for (std::size_t x = 0; x < rows.size(); ++x) {
    const int sign = rows[x][columns].sign();
    if (sign < 0 || (x >= columns && sign != 0)) return false;
  }
  return true;
}

}  // namespace oddsbound::networks
