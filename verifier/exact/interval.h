// Real numbers as intervals of Arb's with 1,024 bits: what doubles cannot decide, and exact numbers would take long to.
// For .cpp files and few headers (heavy header).
#pragma once

#include <arb.h>

#include "base/namespaces.h"
#include "verifier/exact/number.h"

namespace oddsbound::exact {

class Interval {
 public:
  Interval() { arb_init(value_); }
  /// An interval that contains the number; of a function of symbols, one that says nothing.
  explicit Interval(const Number& number);
  Interval(const Interval& other) : Interval() { arb_set(value_, other.value_); }
  Interval(Interval&& other) noexcept : Interval() { arb_swap(value_, other.value_); }
  Interval& operator=(Interval other) noexcept {
    arb_swap(value_, other.value_);
    return *this;
  }
  ~Interval() { arb_clear(value_); }

  Interval& operator+=(const Interval& other) { return arb_add(value_, value_, other.value_, kBits), *this; }
  Interval& operator-=(const Interval& other) { return arb_sub(value_, value_, other.value_, kBits), *this; }
  Interval& operator*=(const Interval& other) { return arb_mul(value_, value_, other.value_, kBits), *this; }
  Interval& operator/=(const Interval& other) { return arb_div(value_, value_, other.value_, kBits), *this; }
  friend Interval operator*(Interval a, const Interval& b) { return a *= b; }

  /// Whether it contains 0 and nothing else.
  bool is_zero() const { return arb_is_zero(value_) != 0; }
  bool is_positive() const { return arb_is_positive(value_) != 0; }
  bool is_negative() const { return arb_is_negative(value_) != 0; }
  /// Whether its middle is farther from 0 than that of the other one.
  bool is_larger_than(const Interval& other) const {
    return arf_cmpabs(arb_midref(value_), arb_midref(other.value_)) > 0;
  }

 private:
  static constexpr slong kBits = 1024;
  arb_t value_;
};

}  // namespace oddsbound::exact
