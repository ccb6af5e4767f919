// Real numbers as intervals of Arb's with 1,024 bits: what doubles cannot decide, and exact numbers would take long to.
// For .cpp files and few headers (heavy header).
#pragma once

#include <arb.h>

#include <cstdint>
#include <utility>

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

// A real interval of Arb's that frees itself, and what statistics need of them. For .cpp files only (heavy header).

class Ball {
 public:
  static constexpr slong kBits = 128;

  Ball() { arb_init(value_); }
  explicit Ball(double value) : Ball() { arb_set_d(value_, value); }
  /// One that contains the number, which has no symbols, to so many bits or somewhat less.
  Ball(const Number& number, slong bits);
  Ball(const Ball&) = delete;
  Ball& operator=(const Ball&) = delete;
  ~Ball() { arb_clear(value_); }
  arb_ptr get() { return value_; }
  arb_srcptr get() const { return value_; }

  /// A double that is not below (above) anything in it.
  double above() const { return edge(true); }
  double below() const { return edge(false); }

 private:
  double edge(bool upper) const;

  arb_t value_;
};

/// Adds weight * log(argument), of a positive number without symbols.
void add_log(Ball& sum, std::int64_t weight, const Number& argument);
/// Adds c log(q) + (n - c) log(1 - q).
void add_log_likelihood(Ball& sum, std::uint64_t n, std::uint64_t c, double q);
/// log Gamma(twice / 2).
void log_gamma_of_half(Ball& result, std::uint64_t twice);

// Rationals near a number.

/// Rationals below and above a number, apart by about 2^-bits of it; a rational is its own bounds. The number must not
/// depend on symbols.
std::pair<Number, Number> rational_bounds(const Number& number, unsigned bits);

/// The largest integer that is not above the number.
Number floor_of(const Number& number);

/// The nearest multiple of 2^-bits that is not above (not below) the number.
Number rounded_down(const Number& number, unsigned bits);
Number rounded_up(const Number& number, unsigned bits);

/// The number, never too low (too high). It lies in [0, 1] and does not depend on symbols.
double rounded_above(const Number& number);
double rounded_below(const Number& number);

/// The rational that a finite double is.
Number number_of(double value);

/// The rational of least denominator in [low, high], rationals (Stern and Brocot); the one nearest to 0 if there are
/// several.
Number simplest_between(const Number& low, const Number& high);

}  // namespace oddsbound::exact
