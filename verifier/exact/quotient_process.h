// Large exact operations in a child process. FLINT may take seconds and gigabytes for them and cannot be
// interrupted; a child process can be killed at the limits of the budget. Also RationalMatrix, an owned fmpq_mat.
#pragma once

#include <flint/fmpq_mat.h>
#include <flint/fmpz_poly_q.h>
#include <cstddef>
#include <functional>

#include "verifier/exact/exp_quotient.h"
#include "verifier/exact/number_detail.h"

namespace oddsbound::exact {

/// Operand size, in bits, from which an operation runs in a child process, which costs milliseconds. Below it, an
/// operation takes less than half a second even if it computes a gcd; above it, it may take minutes.
inline constexpr std::size_t kLargeOperands = std::size_t{1} << 20;

/// Returns an upper bound on the bits of all coefficients together.
std::size_t size_of(const fmpz_poly_t poly);

/// Throws LimitError if size_of(poly) exceeds kMaxPolynomialBits.
void check_size(const fmpz_poly_t poly);

/// Runs `operation`, which sets `result`, on operands of `size` bits. Large operands are handled in a child
/// process, which is killed at the limits of the current budget. Throws LimitError.
void within_budget(fmpz_poly_q_t result, std::size_t size, const std::function<void()>& operation);

/// The same for an operation that returns a rational.
Rational within_budget(std::size_t size, const std::function<Rational()>& operation);

class RationalMatrix;

/// Number of steps from which a matrix operation runs in a child process.
inline constexpr double kMostStepsHere = 0x1p27;

/// The same for an operation that changes the matrix. `steps` estimates its operations on machine words; it runs
/// in a child process from kMostStepsHere (some tenths of a second) on.
void within_budget(RationalMatrix& matrix, double steps, const std::function<void()>& operation);

// A FLINT matrix of rationals that frees itself. For .cpp files only (heavy header).

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
