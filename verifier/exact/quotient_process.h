// Operations on quotients of polynomials that may take FLINT seconds and gigabytes, where nobody can stop it.
#pragma once

#include <flint/fmpz_poly_q.h>

#include <cstddef>
#include <functional>

#include "verifier/exact/exp_quotient.h"

namespace oddsbound::exact {

/// From this size of operands on, in bits, an operation is done in a process of its own, which costs milliseconds.
/// Below it takes less than half a second, even where a common divisor has to be found; above, that can be minutes.
inline constexpr std::size_t kLargeOperands = std::size_t{1} << 20;

/// The bits of all coefficients together, or somewhat more.
std::size_t size_of(const fmpz_poly_t poly);

/// Throws LimitError if that is more than a number may have.
void check_size(const fmpz_poly_t poly);

/// Runs `operation`, which sets `result`, on operands of `size` bits. If they are large, a process of its own does it,
/// which is stopped at the limits of the present budget. Throws LimitError.
void within_budget(fmpz_poly_q_t result, std::size_t size, const std::function<void()>& operation);

/// The result of an operation on rationals of `size` bits, likewise.
Rational within_budget(std::size_t size, const std::function<Rational()>& operation);

class RationalMatrix;

/// From so many steps on a matrix is changed in a process of its own.
inline constexpr double kMostStepsHere = 0x1p27;

/// Runs `operation`, which changes the matrix, likewise: in a process of its own if `steps`, about how many operations
/// on machine words it takes, are more than tenths of a second.
void within_budget(RationalMatrix& matrix, double steps, const std::function<void()>& operation);

}  // namespace oddsbound::exact
