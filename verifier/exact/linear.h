// Exact linear algebra over the rationals (FLINT).
#pragma once

#include <vector>

#include "verifier/exact/number.h"

namespace oddsbound::exact {

using Matrix = std::vector<std::vector<Number>>;

/// Rows as columns. The matrix has at least one row.
Matrix transposed(const Matrix& matrix);

/// The reduced row echelon form of a matrix of rationals (rows of equal length). Throws NumberError for other numbers.
/// From column `scaled` on the entries have one common denominator while they are worked on, so that what they have in
/// the way of denominators does not make the columns before them longer.
Matrix reduced_row_echelon_form(const Matrix& matrix, std::size_t scaled = static_cast<std::size_t>(-1));

}  // namespace oddsbound::exact
