// Powers of polynomials with rational coefficients: generating functions of sums of independent lattice variables.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.h"
#include "verifier/exact/number.h"

namespace oddsbound::exact {

/// Returns the coefficients of p^exponent, lowest first, for the polynomial p with these coefficients.
///
/// Requires a non-empty list of rationals and exponent >= 1. The cost is that of the last product: some exponent *
/// degree coefficients of exponent * bits bits. Throws LimitError past the budget; the memory is checked beforehand.
std::vector<Number> polynomial_power(std::span<const Number> coefficients, std::uint64_t exponent, Budget& budget);

}  // namespace oddsbound::exact
