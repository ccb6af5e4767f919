// Exact numbers: elements of K, the field generated over the rationals by exp(r), r rational.
//
// Almost all numbers are rationals whose parts fit a machine word. These are stored inline and cost a few
// nanoseconds. Larger rationals are Boost's mpq_rational; the others are quotients of polynomials in one
// transcendental t = exp(step) (exp_quotient.h). Every value has one representation, so equality is structural and
// decidable. Order is decidable because a number that is not structurally zero is not zero
// (Lindemann-Weierstrass): interval evaluation at growing precision finds its sign.
//
// A number may also depend on symbols, real variables over ranges (symbols.h). Then it is a function, and equality
// is that of functions. a < b means that it holds for all values of the symbols; comparing throws if no order
// holds for all.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/namespaces.h"

namespace oddsbound::exact {

class Number {
 public:
  Number() = default;
  Number(std::int64_t integer) : numerator_(integer) {}  // NOLINT: an integer is a number

  /// Returns numerator / denominator, reduced. Throws NumberError if the denominator is zero.
  static Number ratio(std::int64_t numerator, std::int64_t denominator);
  /// Returns the quotient of two strings of decimal digits (an optional '-' before the first), reduced.
  static Number from_digits(std::string_view numerator, std::string_view denominator);
  /// Returns exp(exponent). Throws NumberError unless the exponent is rational.
  static Number exp_of(const Number& exponent);

  bool is_zero() const { return !heavy_ && numerator_ == 0; }
  bool is_one() const { return !heavy_ && numerator_ == 1 && denominator_ == 1; }
  bool is_rational() const;
  bool is_integer() const;
  /// Sets `value` if the number is an integer that fits; false otherwise.
  bool fits_int64(std::int64_t& value) const;
  /// Sets numerator and denominator of a rational that fits machine words; false for all other numbers.
  bool fits_ratio(std::int64_t& numerator, std::int64_t& denominator) const;
  /// Returns the bits of the larger part of a rational, or of the largest coefficient otherwise: the cost of an
  /// operation.
  std::size_t bits() const;

  /// Returns an upper bound on the characters of to_string(). Cheap, except for functions of symbols.
  std::size_t text_size() const;

  /// If the number is c * exp(r) with rational c and r, sets both and returns true.
  bool is_monomial(Number& coefficient, Number& exponent) const;

  /// Returns -1, 0 or 1. For a function of symbols: 1 if it is nowhere negative, -1 if nowhere positive; throws
  /// NumberError if neither holds.
  int sign() const;
  bool has_symbols() const;
  /// Returns a double with relative error <= 2^-51; 0 or +-infinity if the magnitude lies outside [2^-1000,
  /// 2^1000] (for numbers beyond machine words). Infinity for a function of symbols.
  double approx() const;
  std::size_t hash() const;
  /// Returns the number in the expression grammar. Reading it back gives the same number.
  std::string to_string() const;

  Number operator-() const;
  Number& operator+=(const Number& other) { return *this = *this + other; }
  Number& operator-=(const Number& other) { return *this = *this - other; }
  Number& operator*=(const Number& other) { return *this = *this * other; }
  Number& operator/=(const Number& other) { return *this = *this / other; }
  /// Returns the integer power; 0^0 = 1. Throws NumberError for a negative power of zero, LimitError if the result
  /// is too large.
  Number pow(std::int64_t exponent) const;

  friend Number operator+(const Number& a, const Number& b);
  friend Number operator-(const Number& a, const Number& b);
  friend Number operator*(const Number& a, const Number& b);
  /// Throws NumberError if b is zero.
  friend Number operator/(const Number& a, const Number& b);
  friend bool operator==(const Number& a, const Number& b);
  friend std::strong_ordering operator<=>(const Number& a, const Number& b);
  /// A total order of all numbers; for numbers without symbols, the order of their values.
  friend std::strong_ordering structural_order(const Number& a, const Number& b);

  struct Heavy;  // number_detail.h
  explicit Number(std::shared_ptr<const Heavy> heavy) : heavy_(std::move(heavy)) {}
  const Heavy* heavy() const { return heavy_.get(); }

 private:
  std::int64_t numerator_ = 0;
  std::int64_t denominator_ = 1;
  std::shared_ptr<const Heavy> heavy_;
};

/// Returns the sum of weight * value over the terms, exactly. Faster than adding one by one if denominators
/// differ: rational terms are added as a balanced tree of unreduced fractions and reduced once.
struct WeightedTerm {
  Number weight;
  Number value;
};
Number weighted_sum(std::span<const WeightedTerm> terms);
Number sum_of(std::span<const Number> numbers);

/// The same for values that need not be reduced: numerator / denominator (denominator > 0), or `*other` if that is
/// not null. The fractions are reduced once, at the end.
struct FractionTerm {
  Number weight;
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
  const Number* other = nullptr;
};
Number weighted_sum(std::span<const FractionTerm> terms);

/// Returns the order of a * b and c * d, without forming quotients.
std::strong_ordering compare_products(const Number& a, const Number& b, const Number& c, const Number& d);

struct NumberHash {
  std::size_t operator()(const Number& number) const { return number.hash(); }
};

}  // namespace oddsbound::exact
