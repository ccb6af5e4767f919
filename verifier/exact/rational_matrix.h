// A matrix of FLINT's of rationals that frees itself. For .cpp files only (heavy header).
#pragma once

#include <flint/fmpq_mat.h>

#include "verifier/exact/number_detail.h"

namespace oddsbound::exact {

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
