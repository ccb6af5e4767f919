#include "verifier/exact/linear.h"

#include <algorithm>

#include "base/errors.h"
#include "verifier/exact/rational_matrix.h"

namespace oddsbound::exact {

Matrix transposed(const Matrix& matrix) {
  Matrix result(matrix[0].size(), std::vector<Number>(matrix.size()));
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j < matrix[i].size(); ++j) result[j][i] = matrix[i][j];
  }
  return result;
}

Matrix reduced_row_echelon_form(const Matrix& matrix, std::size_t scaled) {
  for (const auto& row : matrix) {
    for (const Number& number : row) {
      if (!number.is_rational()) throw NumberError(number.to_string() + " is not rational");
    }
  }
  const auto rows = static_cast<slong>(matrix.size());
  const auto columns = static_cast<slong>(matrix.empty() ? 0 : matrix[0].size());
  RationalMatrix owned(matrix.size(), matrix.empty() ? 0 : matrix[0].size());
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j < matrix[i].size(); ++j) owned.set(i, j, matrix[i][j]);
  }
  fmpq_mat_struct* value = owned.value();
  fmpz_t scale;
  fmpz_init_set_ui(scale, 1);
  const auto first = static_cast<slong>(std::min(scaled, static_cast<std::size_t>(columns)));
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
  // Rows without a pivot before `scaled` are not what was asked for, but a multiple of it.
  rescale(fmpq_div_fmpz);
  fmpz_clear(scale);
  Matrix result(matrix.size());
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j < matrix[i].size(); ++j) result[i].push_back(owned.get(i, j));
  }
  return result;
}

}  // namespace oddsbound::exact
