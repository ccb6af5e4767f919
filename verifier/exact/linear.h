// Exact linear algebra over the rationals (FLINT).
#pragma once

#include <vector>

#include "verifier/exact/number.h"

namespace oddsbound {

using Matrix = std::vector<std::vector<Number>>;

/// The reduced row echelon form of a matrix of rationals (rows of equal length). Throws NumberError for other numbers.
Matrix reduced_row_echelon_form(const Matrix& matrix);

}  // namespace oddsbound
