#include "verifier/sets/mean_bounds.h"

#include <algorithm>

#include "base/errors.h"

namespace oddsbound::sets {

double rounded_mass(const Number& mass) {
  const double rounded = mass.approx();
  if (mass.is_zero() || (rounded > 1e-100 && rounded < 1e100)) return rounded;
  throw LimitError("masses of the set's priors leave the range that a search over outputs works in");
}

RoundedCells rounded_cells(const std::vector<std::vector<Number>>& cells, const std::vector<Number>& masses) {
  RoundedCells rounded;
  for (const auto& of_label : cells) {
    std::vector<double>& mine = rounded.cells.emplace_back();
    for (const Number& cell : of_label) mine.push_back(rounded_mass(cell));
  }
  for (const Number& mass : masses) rounded.masses.push_back(rounded_mass(mass));
  return rounded;
}

double sum_over(std::span<const double> cells, std::span<const double> column) {
  double sum = 0;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    if (cells[k] != 0) sum += cells[k] * column[k];
  }
  return sum;
}

std::span<const EntryMass> by_entry(std::span<const double> cells, std::span<const double> column, bool largest_first) {
  thread_local std::vector<EntryMass> entries;
  entries.clear();
  for (std::size_t k = 0; k < cells.size(); ++k) {
    if (cells[k] != 0) entries.push_back({column[k], cells[k]});
  }
  std::sort(entries.begin(), entries.end(), [&](const EntryMass& a, const EntryMass& b) {
    return largest_first ? a.entry > b.entry : a.entry < b.entry;
  });
  return entries;
}

}  // namespace oddsbound::sets
