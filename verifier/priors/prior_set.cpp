#include "verifier/priors/prior_set.h"

#include <algorithm>

#include "base/errors.h"

namespace oddsbound::priors {

SetDefinition SetDefinition::of_cells(std::uint64_t inputs) {
  SetDefinition definition;
  for (std::uint64_t x = 0; x < inputs; ++x) definition.cells.push_back({{definition.unknown(), Number(1)}});
  return definition;
}

void SetDefinition::normalize() {
  Form all;
  for (const Form& cell : cells) all.insert(all.end(), cell.begin(), cell.end());
  equal(std::move(all), Number(1));
}

void SetDefinition::distances_at_most(const std::vector<std::pair<Form, Number>>& differences, const Number& right) {
  Form all;
  for (const auto& [form, shift] : differences) {
    const std::size_t distance = unknown();
    all.emplace_back(distance, Number(1));
    Form above{{distance, Number(-1)}}, below{{distance, Number(-1)}};
    for (const auto& [place, factor] : form) {
      above.emplace_back(place, factor);
      below.emplace_back(place, -factor);
    }
    at_most(std::move(above), shift);
    at_most(std::move(below), -shift);
  }
  at_most(std::move(all), right);
}

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

}  // namespace oddsbound::priors
