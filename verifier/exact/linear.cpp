#include "verifier/exact/linear.h"

#include <algorithm>

#include "base/budget.h"
#include "base/errors.h"
#include "verifier/exact/quotient_process.h"
#include "verifier/exact/rational_matrix.h"

namespace oddsbound::exact {

Matrix transposed(const Matrix& matrix) {
  Matrix result(matrix[0].size(), std::vector<Number>(matrix.size()));
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j < matrix[i].size(); ++j) result[j][i] = matrix[i][j];
  }
  return result;
}

namespace {

// About how many operations on machine words elimination takes: numbers grow with every pivot by what a row has, once
// its entries have a common denominator.
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
  // Rows without a pivot before `first` are not what was asked for, but a multiple of it.
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
  // FLINT cannot be stopped.
  within_budget(owned, steps_of(value), [&] { reduce(value, first); });
  Matrix result(matrix.size());
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j < matrix[i].size(); ++j) {
      result[i].push_back(owned.get(i, j));
      if (Budget* budget = Budget::current()) budget->tick();
    }
  }
  return result;
}

}  // namespace oddsbound::exact
