// Enclosures of real numbers by Arb: Interval (1,024 bits, decides what doubles cannot and exact numbers decide
// slowly), Ball (an owned arb_t, for statistics), and rationals near a number. Heavy header: for .cpp files and
// few headers.
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
  /// Encloses the number; for a function of symbols, the whole real line.
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

  /// True if it is exactly the point 0.
  bool is_zero() const { return arb_is_zero(value_) != 0; }
  bool is_positive() const { return arb_is_positive(value_) != 0; }
  bool is_negative() const { return arb_is_negative(value_) != 0; }
  /// True if |midpoint| exceeds that of the other interval.
  bool is_larger_than(const Interval& other) const {
    return arf_cmpabs(arb_midref(value_), arb_midref(other.value_)) > 0;
  }

 private:
  static constexpr slong kBits = 1024;
  arb_t value_;
};

// An owned arb_t, and the terms that statistics need. For .cpp files only.

class Ball {
 public:
  static constexpr slong kBits = 128;

  Ball() { arb_init(value_); }
  explicit Ball(double value) : Ball() { arb_set_d(value_, value); }
  /// Encloses the number (without symbols) at a working precision of `bits` bits.
  Ball(const Number& number, slong bits);
  Ball(const Ball&) = delete;
  Ball& operator=(const Ball&) = delete;
  ~Ball() { arb_clear(value_); }
  arb_ptr get() { return value_; }
  arb_srcptr get() const { return value_; }

  /// Returns a double >= (<=) every value in the ball.
  double above() const { return edge(true); }
  double below() const { return edge(false); }

 private:
  double edge(bool upper) const;

  arb_t value_;
};

/// Returns a number >= (upper) or <= every value in the ball, which is finite; of at most 64 binary digits.
Number end_of(const Ball& ball, bool upper);

/// Adds weight * log(argument), for a positive number without symbols.
void add_log(Ball& sum, std::int64_t weight, const Number& argument);
/// Adds c log(q) + (n - c) log(1 - q).
void add_log_likelihood(Ball& sum, std::uint64_t n, std::uint64_t c, double q);
/// Sets the result to log Gamma(twice / 2).
void log_gamma_of_half(Ball& result, std::uint64_t twice);

/// A sum of enclosures in fixed point: integers with lower <= sum * 2^precision <= upper. Terms may be added in any
/// order, with the same result.
class FixedSum {
 public:
  FixedSum();
  FixedSum(const FixedSum& other);
  FixedSum& operator=(const FixedSum&) = delete;
  ~FixedSum();

  void add(const Ball& term, slong precision);
  void add(const FixedSum& other);
  /// Sets the ball to an enclosure of the sum.
  void enclose(Ball& value, slong precision) const;

 private:
  fmpz_t lower_, upper_;
};

// Rationals near a number.

/// Returns rationals low <= number <= high with high - low about 2^-bits * |number|; a rational is its own bounds.
/// The number must not depend on symbols.
std::pair<Number, Number> rational_bounds(const Number& number, unsigned bits);

/// Returns the largest integer <= number.
Number floor_of(const Number& number);

/// Returns the nearest multiple of 2^-bits that is <= (>=) the number.
Number rounded_down(const Number& number, unsigned bits);
Number rounded_up(const Number& number, unsigned bits);

/// Returns a double >= (<=) the number, which lies in [0, 1] and does not depend on symbols.
double rounded_above(const Number& number);
double rounded_below(const Number& number);

/// Returns the exact value of a finite double.
Number number_of(double value);

/// Returns the rational of smallest denominator in [low, high] for rational bounds (Stern-Brocot tree); the one
/// nearest to 0 if there are several.
Number simplest_between(const Number& low, const Number& high);

}  // namespace oddsbound::exact
