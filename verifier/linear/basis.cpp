#include "verifier/linear/basis.h"

#include <algorithm>
#include <cassert>

#include "base/budget.h"
#include "base/errors.h"
#include "verifier/exact/quotient_process.h"

namespace oddsbound::linear {

namespace {

using Entries = std::vector<std::pair<std::size_t, Number>>;

// A square linear system.
struct Dense {
  std::vector<std::vector<Number>> matrix;
  std::vector<Number> side;

  bool is_rational() const {
    const auto are = [](const std::vector<Number>& numbers) {
      return std::all_of(numbers.begin(), numbers.end(), [](const Number& number) { return number.is_rational(); });
    };
    return are(side) && std::all_of(matrix.begin(), matrix.end(), are);
  }
};

// Returns an upper bound on the bits of an entry once its row has a common denominator. The denominator is the
// product of the row's denominators, or (exact) their least common multiple, which costs more and may be much
// smaller.
double bits_of_row(const fmpq_mat_struct* matrix, slong row, bool exact) {
  constexpr double kLongestMultiple = 1 << 16;
  double product = 0, numerator = 0;
  fmpz_t multiple;
  fmpz_init_set_ui(multiple, 1);
  for (slong j = 0; j < fmpq_mat_ncols(matrix); ++j) {
    const fmpq* entry = fmpq_mat_entry(matrix, row, j);
    product += static_cast<double>(fmpz_bits(fmpq_denref(entry)));
    numerator = std::max(numerator, static_cast<double>(fmpz_bits(fmpq_numref(entry))));
    exact = exact && static_cast<double>(fmpz_bits(multiple) + fmpz_bits(fmpq_denref(entry))) < kLongestMultiple;
    if (exact) fmpz_lcm(multiple, multiple, fmpq_denref(entry));
  }
  const double common = exact ? static_cast<double>(fmpz_bits(multiple)) : product;
  fmpz_clear(multiple);
  return numerator + common;
}

// Estimates the word operations of Dixon's method for n equations with entries of w words: one inverse modulo a
// prime, then two matrix-vector products for each of about 2 n w words of the solution.
double steps_of_dixon(const fmpq_mat_struct* matrix, const fmpq_mat_struct* side, bool exact) {
  double longest = 0;
  for (slong i = 0; i < fmpq_mat_nrows(matrix); ++i) {
    longest = std::max(longest, bits_of_row(matrix, i, exact) + bits_of_row(side, i, exact));
  }
  const auto n = static_cast<double>(fmpq_mat_nrows(matrix));
  const double words = 1 + longest / FLINT_BITS;
  return n * n * n * (1 + 2 * words * words);
}

// Returns nullopt if the matrix is singular.
std::optional<std::vector<Number>> solve_rational(const Dense& dense) {
  const std::size_t size = dense.side.size();
  RationalMatrix matrix(size, size), side(size, 1), solution(size + 1, 1);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      if (!dense.matrix[i][j].is_zero()) matrix.set(i, j, dense.matrix[i][j]);
    }
    side.set(i, 0, dense.side[i]);
  }
  // FLINT cannot be interrupted: estimate the work, and use a child process if it is large.
  const auto steps = [&](bool exact) { return steps_of_dixon(matrix.value(), side.value(), exact); };
  fmpq* solved = fmpq_mat_entry(solution.value(), static_cast<slong>(size), 0);
  within_budget(solution, steps(false) < kMostStepsHere ? 0 : steps(true), [&] {
    RationalMatrix found(size, 1);
    if (fmpq_mat_solve_dixon(found.value(), matrix.value(), side.value()) == 0) return;
    for (slong j = 0; j < static_cast<slong>(size); ++j) {
      fmpq_swap(fmpq_mat_entry(solution.value(), j, 0), fmpq_mat_entry(found.value(), j, 0));
    }
    fmpq_one(solved);
  });
  if (fmpq_is_zero(solved)) return std::nullopt;
  std::vector<Number> result;
  for (std::size_t j = 0; j < size; ++j) result.push_back(solution.get(j, 0));
  return result;
}

// The same for any numbers, by Gaussian elimination.
std::optional<std::vector<Number>> eliminate(Dense dense) {
  const std::size_t size = dense.side.size();
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t pivot = k;
    while (pivot < size && dense.matrix[pivot][k].is_zero()) ++pivot;
    if (pivot == size) return std::nullopt;
    std::swap(dense.matrix[k], dense.matrix[pivot]);
    std::swap(dense.side[k], dense.side[pivot]);
    for (std::size_t i = 0; i < size; ++i) {
      if (i == k || dense.matrix[i][k].is_zero()) continue;
      const Number times = dense.matrix[i][k] / dense.matrix[k][k];
      for (std::size_t j = k; j < size; ++j) {
        if (!dense.matrix[k][j].is_zero()) dense.matrix[i][j] -= times * dense.matrix[k][j];
      }
      dense.side[i] -= times * dense.side[k];
    }
  }
  for (std::size_t k = 0; k < size; ++k) dense.side[k] = dense.side[k] / dense.matrix[k][k];
  return std::move(dense.side);
}

// The basis matrix, or its transpose. Triangular parts are peeled off first: equations with one unknown left, and
// unknowns that occur in one equation only. For most bases, only a small core remains to be solved densely.
class BasisMatrix {
 public:
  BasisMatrix(const Equations& equations, const Basis& basis, bool transposed)
      : size_(basis.rows.size()), columns_(size_), rows_(size_) {
    assert(basis.columns.size() == size_);
    constexpr std::size_t kOutside = static_cast<std::size_t>(-1);
    std::vector<std::size_t> place(equations.right.size(), kOutside);
    for (std::size_t i = 0; i < size_; ++i) place[basis.rows[i]] = i;
    for (std::size_t j = 0; j < size_; ++j) {
      for (const auto& [row, entry] : equations.columns[basis.columns[j]]) {
        if (place[row] == kOutside || entry.is_zero()) continue;
        const std::size_t i = transposed ? j : place[row], k = transposed ? place[row] : j;
        columns_[k].emplace_back(i, entry);
        rows_[i].emplace_back(k, entry);
      }
    }
  }

  // Returns nullopt if the matrix is singular.
  std::optional<std::vector<Number>> solve(const std::vector<Number>& right) {
    peel();
    std::vector<Number> result(size_);
    for (const auto& [row, column] : first_) result[column] = solved(row, column, right, result);
    if (!solve_core(right, result)) return std::nullopt;
    for (std::size_t k = last_.size(); k > 0; --k) {
      const auto [row, column] = last_[k - 1];
      result[column] = solved(row, column, right, result);
    }
    return result;
  }

 private:
  using Place = std::pair<std::size_t, std::size_t>;  // row, column

  // Solves the row for the unknown of `column`; all other unknowns of the row are known.
  Number solved(std::size_t row, std::size_t column, const std::vector<Number>& right,
                const std::vector<Number>& result) const {
    std::vector<WeightedTerm> others{{Number(1), right[row]}};
    const Number* own = nullptr;
    for (const auto& [other, entry] : rows_[row]) {
      if (other == column) {
        own = &entry;
      } else if (!result[other].is_zero()) {
        others.push_back({-entry, result[other]});
      }
    }
    return weighted_sum(others) / *own;
  }

  void peel() {
    row_left_.assign(size_, true);
    column_left_.assign(size_, true);
    std::vector<std::size_t> in_row(size_), in_column(size_);
    for (std::size_t i = 0; i < size_; ++i) {
      in_row[i] = rows_[i].size();
      in_column[i] = columns_[i].size();
    }
    std::vector<std::size_t> rows, columns;  // with one entry left
    for (std::size_t i = 0; i < size_; ++i) {
      if (in_row[i] == 1) rows.push_back(i);
      if (in_column[i] == 1) columns.push_back(i);
    }
    const auto take = [&](std::size_t row, std::size_t column) {
      row_left_[row] = column_left_[column] = false;
      for (const auto& [i, entry] : columns_[column]) {
        if (row_left_[i] && --in_row[i] == 1) rows.push_back(i);
      }
      for (const auto& [j, entry] : rows_[row]) {
        if (column_left_[j] && --in_column[j] == 1) columns.push_back(j);
      }
    };
    while (!rows.empty() || !columns.empty()) {
      if (!rows.empty()) {
        const std::size_t row = rows.back();
        rows.pop_back();
        const std::optional<std::size_t> column = only_one(rows_[row], column_left_);
        if (!row_left_[row] || !column) continue;
        first_.emplace_back(row, *column);
        take(row, *column);
      } else {
        const std::size_t column = columns.back();
        columns.pop_back();
        const std::optional<std::size_t> row = only_one(columns_[column], row_left_);
        if (!column_left_[column] || !row) continue;
        last_.emplace_back(*row, column);
        take(*row, column);
      }
    }
  }

  static std::optional<std::size_t> only_one(const Entries& entries, const std::vector<bool>& left) {
    for (const auto& [place, entry] : entries) {
      if (left[place]) return place;
    }
    return std::nullopt;
  }

  // Solves the core, which is square: every peeled pair removed one row and one column.
  bool solve_core(const std::vector<Number>& right, std::vector<Number>& result) const {
    std::vector<std::size_t> rows, columns, place(size_);
    for (std::size_t i = 0; i < size_; ++i) {
      if (row_left_[i]) rows.push_back(i);
      if (!column_left_[i]) continue;
      place[i] = columns.size();
      columns.push_back(i);
    }
    if (rows.empty()) return true;
    Dense dense{std::vector<std::vector<Number>>(rows.size(), std::vector<Number>(rows.size())), {}};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::vector<WeightedTerm> rest{{Number(1), right[rows[i]]}};
      for (const auto& [column, entry] : rows_[rows[i]]) {
        if (column_left_[column]) {
          dense.matrix[i][place[column]] = entry;
        } else if (!result[column].is_zero()) {
          rest.push_back({-entry, result[column]});
        }
      }
      dense.side.push_back(weighted_sum(rest));
    }
    const auto solution = dense.is_rational() ? solve_rational(dense) : eliminate(std::move(dense));
    if (!solution) return false;
    for (std::size_t j = 0; j < columns.size(); ++j) result[columns[j]] = (*solution)[j];
    return true;
  }

  std::size_t size_;
  std::vector<Entries> columns_, rows_;
  std::vector<bool> row_left_, column_left_;
  std::vector<Place> first_, last_;  // peeled pairs: solved before the core, and after it in reverse
};

}  // namespace

bool Equations::are_rational() const {
  const auto are = [](const auto& column) {
    return std::all_of(column.begin(), column.end(), [](const auto& entry) { return entry.second.is_rational(); });
  };
  return std::all_of(right.begin(), right.end(), [](const Number& number) { return number.is_rational(); }) &&
         std::all_of(columns.begin(), columns.end(), are);
}

std::optional<std::vector<Number>> point_of(const Equations& equations, const Basis& basis) {
  std::vector<Number> right;
  for (const std::size_t row : basis.rows) right.push_back(equations.right[row]);
  const auto solution = BasisMatrix(equations, basis, false).solve(right);
  if (!solution) return std::nullopt;
  std::vector<Number> point(equations.columns.size());
  std::vector<std::vector<WeightedTerm>> left(equations.right.size());
  for (std::size_t j = 0; j < basis.columns.size(); ++j) {
    const std::size_t column = basis.columns[j];
    point[column] = (*solution)[j];
    if (point[column].sign() < 0) return std::nullopt;
    for (const auto& [row, entry] : equations.columns[column]) left[row].push_back({point[column], entry});
  }
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (weighted_sum(left[i]) != equations.right[i]) return std::nullopt;
  }
  return point;
}

std::optional<std::vector<Number>> duals_of(const Equations& equations, const Basis& basis,
                                            std::span<const Number> form) {
  std::vector<Number> right;
  for (const std::size_t column : basis.columns) right.push_back(form[column]);
  const auto solution = BasisMatrix(equations, basis, true).solve(right);
  if (!solution) return std::nullopt;
  std::vector<Number> duals(equations.right.size());
  for (std::size_t i = 0; i < basis.rows.size(); ++i) duals[basis.rows[i]] = (*solution)[i];
  std::vector<WeightedTerm> cost;
  for (std::size_t j = 0; j < form.size(); ++j) {
    cost.clear();
    for (const auto& [row, entry] : equations.columns[j]) cost.push_back({duals[row], entry});
    if (weighted_sum(cost) < form[j]) return std::nullopt;
  }
  return duals;
}

Number dot(std::span<const Number> a, std::span<const Number> b) {
  std::vector<WeightedTerm> terms;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (!a[k].is_zero() && !b[k].is_zero()) terms.push_back({a[k], b[k]});
  }
  return weighted_sum(terms);
}

Matrix transposed(const Matrix& matrix) {
  Matrix result(matrix[0].size(), std::vector<Number>(matrix.size()));
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j < matrix[i].size(); ++j) result[j][i] = matrix[i][j];
  }
  return result;
}

namespace {

// Estimates the word operations of elimination. Entries grow at every pivot by the bits of a row's common
// denominator.
double steps_of(const fmpq_mat_struct* matrix) {
  double longest = 0;
  for (slong i = 0; i < fmpq_mat_nrows(matrix); ++i) {
    double bits = 0;
    for (slong j = 0; j < fmpq_mat_ncols(matrix); ++j) {
      bits += static_cast<double>(fmpz_bits(fmpq_denref(fmpq_mat_entry(matrix, i, j))));
    }
    longest = std::max(longest, bits);
  }
  const auto rows = static_cast<double>(fmpq_mat_nrows(matrix));
  const auto columns = static_cast<double>(fmpq_mat_ncols(matrix));
  const double pivots = std::min(rows, columns);
  return rows * columns * pivots * (1 + pivots * longest / FLINT_BITS);
}

void reduce(fmpq_mat_struct* value, slong first) {
  const slong rows = fmpq_mat_nrows(value), columns = fmpq_mat_ncols(value);
  fmpz_t scale;
  fmpz_init_set_ui(scale, 1);
  for (slong i = 0; i < rows; ++i) {
    for (slong j = first; j < columns; ++j) fmpz_lcm(scale, scale, fmpq_denref(fmpq_mat_entry(value, i, j)));
  }
  const auto rescale = [&](auto operation) {
    for (slong i = 0; i < rows; ++i) {
      for (slong j = first; j < columns; ++j) {
        operation(fmpq_mat_entry(value, i, j), fmpq_mat_entry(value, i, j), scale);
      }
    }
  };
  rescale(fmpq_mul_fmpz);
  fmpq_mat_rref(value, value);
  // Rows without a pivot before `first` are only determined up to a factor here: divide it out again.
  rescale(fmpq_div_fmpz);
  fmpz_clear(scale);
}

}  // namespace

Matrix reduced_row_echelon_form(const Matrix& matrix, std::size_t scaled) {
  for (const auto& row : matrix) {
    for (const Number& number : row) {
      if (!number.is_rational()) throw NumberError(number.to_string() + " is not rational");
    }
  }
  const std::size_t columns = matrix.empty() ? 0 : matrix[0].size();
  RationalMatrix owned(matrix.size(), columns);
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j < matrix[i].size(); ++j) owned.set(i, j, matrix[i][j]);
  }
  fmpq_mat_struct* value = owned.value();
  const auto first = static_cast<slong>(std::min(scaled, columns));
  // FLINT cannot be interrupted.
  within_budget(owned, steps_of(value), [&] { reduce(value, first); });
  Matrix result(matrix.size());
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j < matrix[i].size(); ++j) {
      result[i].push_back(owned.get(i, j));
      if (Budget* budget = Budget::current()) budget->check_every();
    }
  }
  return result;
}

}  // namespace oddsbound::linear
