#include "verifier/linear/tableau.h"

#include <cassert>
#include <optional>

namespace oddsbound::linear {

namespace {

void subtract_multiple(std::vector<Number>& target, const std::vector<Number>& source, const Number& factor) {
  for (std::size_t j = 0; j < target.size(); ++j) {
    if (!source[j].is_zero()) target[j] -= factor * source[j];
  }
}

}  // namespace

// Phase 1: artificial variables, one per equation, form the first basis. The polytope is nonempty if and only if
// their sum can be brought to 0.
Tableau::Tableau(const Equations& equations, Budget& budget, const std::vector<std::size_t>* at)
    : budget_(budget), columns_(equations.columns.size()), equations_(equations.right.size()) {
  budget.require_cells(equations_, columns_ + equations_);
  budget.require_memory(equations_ * (columns_ + equations_) * sizeof(Number));
  for (std::size_t i = 0; i < equations_; ++i) {
    assert(equations.right[i].sign() >= 0);
    rows_.push_back({std::vector<Number>(columns_ + equations_), equations.right[i], columns_ + i});
    rows_[i].entries[columns_ + i] = Number(1);
  }
  std::vector<Number> gains(columns_ + equations_);
  for (std::size_t j = 0; j < columns_; ++j) {
    for (const auto& [row, entry] : equations.columns[j]) {
      rows_[row].entries[j] = entry;
      gains[j] += entry;
    }
  }
  if (at != nullptr) {
    move_to(*at);
  } else {
    climb(gains);
  }
  for (const Row& row : rows_) empty_ = empty_ || (row.basic >= columns_ && !row.right.is_zero());
  if (!empty_) drop_what_follows();
}

// Replaces unwanted basic columns by the wanted ones, one at a time. A pivot row always exists because the wanted
// columns are independent. Intermediate bases may be infeasible; the last one is the requested vertex.
void Tableau::move_to(const std::vector<std::size_t>& columns) {
  std::vector<bool> wanted(columns_ + equations_), here(columns_ + equations_);
  for (const std::size_t column : columns) wanted[column] = true;
  for (const Row& row : rows_) here[row.basic] = true;
  std::vector<Number> no_gains(columns_ + equations_);
  for (const std::size_t column : columns) {
    if (here[column]) continue;
    budget_.check();
    std::size_t i = 0;
    while (i < rows_.size() && (wanted[rows_[i].basic] || rows_[i].entries[column].is_zero())) ++i;
    assert(i < rows_.size() && "the columns of a basis are independent");
    pivot(i, column, no_gains);
  }
}

// Pivots each remaining artificial variable out of the basis, or drops its row if it has no other entry (a
// redundant equation).
void Tableau::drop_what_follows() {
  std::vector<Number> no_gains(columns_ + equations_);
  for (std::size_t i = 0; i < rows_.size();) {
    std::size_t j = rows_[i].basic;
    if (j >= columns_) {
      j = 0;
      while (j < columns_ && rows_[i].entries[j].is_zero()) ++j;
      if (j == columns_) {
        rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(i));
        continue;
      }
      pivot(i, j, no_gains);
    }
    ++i;
  }
}

std::vector<Number> Tableau::maximize_from(std::span<const Number> form) {
  assert(!empty_ && form.size() == columns_);
  std::vector<Number> gains(form.begin(), form.end());
  gains.resize(columns_ + equations_);
  for (const Row& row : rows_) {
    if (const Number& worth = form[row.basic]; !worth.is_zero()) subtract_multiple(gains, row.entries, worth);
  }
  climb(gains);
  std::vector<Number> duals;
  for (std::size_t i = 0; i < equations_; ++i) duals.push_back(-gains[columns_ + i]);
  return duals;
}

std::vector<Number> Tableau::vertex() const {
  std::vector<Number> x(columns_);
  for (const Row& row : rows_) x[row.basic] = row.right;
  return x;
}

// Dantzig's rule; after more than rows_.size() consecutive degenerate pivots, Bland's rule until progress.
// Terminates: no basis repeats.
void Tableau::climb(std::vector<Number>& gains) {
  std::size_t idle = 0;
  while (true) {
    budget_.check();
    const std::size_t column = entering(gains, idle > rows_.size());
    if (column == columns_) return;
    const std::size_t row = leaving(column);
    idle = rows_[row].right.is_zero() ? idle + 1 : 0;
    pivot(row, column, gains);
  }
}

std::size_t Tableau::entering(const std::vector<Number>& gains, bool first) const {
  std::size_t best = columns_;
  double most = 0;
  for (std::size_t j = 0; j < columns_; ++j) {
    if (gains[j].is_zero() || gains[j].sign() < 0) continue;
    if (first) return j;
    const double gain = gains[j].approx();
    if (best != columns_ && !(gain > most)) continue;
    best = j;
    most = gain;
  }
  return best;
}

// Ratio test: the row whose basic variable reaches 0 first as the entering one grows; ties go to the smallest
// variable.
std::size_t Tableau::leaving(std::size_t column) const {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Number& entry = rows_[i].entries[column];
    if (entry.sign() <= 0) continue;
    if (best) {
      const auto order = compare_products(rows_[i].right, rows_[*best].entries[column], rows_[*best].right, entry);
      if (order > 0 || (order == 0 && rows_[i].basic > rows_[*best].basic)) continue;
    }
    best = i;
  }
  assert(best && "the polytope is bounded");
  return *best;
}

void Tableau::pivot(std::size_t row, std::size_t column, std::vector<Number>& gains) {
  Row& mine = rows_[row];
  const Number entry = mine.entries[column];
  if (!entry.is_one()) {
    for (Number& other : mine.entries) {
      if (!other.is_zero()) other /= entry;
    }
    mine.right /= entry;
  }
  mine.basic = column;
  for (Row& other : rows_) {
    if (&other == &mine || other.entries[column].is_zero()) continue;
    const Number factor = other.entries[column];
    subtract_multiple(other.entries, mine.entries, factor);
    other.right -= factor * mine.right;
  }
  if (const Number factor = gains[column]; !factor.is_zero()) subtract_multiple(gains, mine.entries, factor);
}

}  // namespace oddsbound::linear
