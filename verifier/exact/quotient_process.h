// Operations on quotients of polynomials that may take FLINT seconds and gigabytes, where nobody can stop it.
#pragma once

#include <cstddef>
#include <flint/fmpq_mat.h>
#include <flint/fmpz_poly_q.h>
#include <functional>

#include "verifier/exact/exp_quotient.h"
#include "verifier/exact/number_detail.h"

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

// A matrix of FLINT's of rationals that frees itself. For .cpp files only (heavy header).

class RationalMatrix {
 public:
  RationalMatrix(std::size_t rows, std::size_t columns) {
    fmpq_mat_init(value_, static_cast<slong>(rows), static_cast<slong>(columns));
  }
  ~RationalMatrix() { fmpq_mat_clear(value_); }
  RationalMatrix(const RationalMatrix&) = delete;
  RationalMatrix& operator=(const RationalMatrix&) = delete;

  void set(std::size_t row, std::size_t column, const Number& number) {
    fmpq* entry = fmpq_mat_entry(value_, static_cast<slong>(row), static_cast<slong>(column));
    fmpq_set_mpq(entry, rational_of(number).backend().data());
  }
  Number get(std::size_t row, std::size_t column) const {
    Rational entry;
    fmpq_get_mpq(entry.backend().data(), fmpq_mat_entry(value_, static_cast<slong>(row), static_cast<slong>(column)));
    return make_number(entry);
  }
  fmpq_mat_struct* value() { return value_; }

 private:
  fmpq_mat_t value_;
};

}  // namespace oddsbound::exact
