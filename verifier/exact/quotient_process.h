// Operations on quotients of polynomials that may take FLINT seconds and gigabytes, where nobody can stop it.
#pragma once

#include <flint/fmpz_poly_q.h>

#include <cstddef>
#include <functional>

namespace oddsbound {

/// The bits of all coefficients together, or somewhat more.
std::size_t size_of(const fmpz_poly_t poly);

/// Throws LimitError if that is more than a number may have.
void check_size(const fmpz_poly_t poly);

/// Runs `operation`, which sets `result`, on operands of `size` bits. If they are large, a process of its own does it,
/// which is stopped at the limits of the present budget. Throws LimitError.
void within_budget(fmpz_poly_q_t result, std::size_t size, const std::function<void()>& operation);

}  // namespace oddsbound
