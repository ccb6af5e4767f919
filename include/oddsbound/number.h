// Exact numbers: elements of K, the field generated over the rationals by exp(r), r rational.
//
// A number may also depend on symbols, real variables over ranges (docs/spec-format.md). Then it is a function, and
// equality is that of functions. a < b means that it holds for all values of the symbols; comparing throws if no order
// holds for all. Errors (division by zero, a text outside the grammar) are thrown as a std::runtime_error.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace oddsbound {

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

  struct Heavy;  // of large rationals and of numbers that are not rational
  explicit Number(std::shared_ptr<const Heavy> heavy) : heavy_(std::move(heavy)) {}
  const Heavy* heavy() const { return heavy_.get(); }

 private:
  std::int64_t numerator_ = 0;
  std::int64_t denominator_ = 1;
  std::shared_ptr<const Heavy> heavy_;
};

/// Returns the number of a text in the grammar of specs, without parameters: "1/4", "exp(1/2)".
Number parse_number(std::string_view text);

}  // namespace oddsbound
