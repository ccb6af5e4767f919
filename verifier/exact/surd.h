// Numbers with one square root: plain + coefficient * sqrt(radicand). The maximum over the line between two priors
// has this form. Also rational powers and smallest roots in K.
#pragma once

#include <compare>
#include <optional>
#include <string>

#include "base/namespaces.h"
#include "oddsbound/number.h"

namespace oddsbound {

/// plain + coefficient * sqrt(radicand) with all three in K, without symbols, radicand > 0. A surd with
/// coefficient 0 is a number and may have symbols.
///
/// Sums, products and quotients need equal radicands, or one operand in K; otherwise they throw NumberError. All
/// surds compare. Equality is decided by order, not by structure: the radicand may be an unrecognized square.
class Surd {
 public:
  Surd() = default;
  Surd(Number plain) : plain_(std::move(plain)) {}  // NOLINT: a number is a surd
  /// Returns the square root of a number >= 0. Powers of exp are taken out of the root, and squares out of a
  /// rational as far as its small prime factors show them. Throws NumberError for a negative number or one with
  /// symbols.
  static Surd root_of(const Number& square);

  bool is_number() const { return coefficient_.is_zero(); }
  bool is_rational() const { return is_number() && plain_.is_rational(); }
  bool is_one() const { return is_number() && plain_.is_one(); }
  const Number& plain() const { return plain_; }
  const Number& coefficient() const { return coefficient_; }
  const Number& radicand() const { return radicand_; }

  int sign() const;
  /// Returns a double near the value, with the error bound of Number::approx.
  double approx() const;
  /// If the surd is c * exp(r) with a rational r, sets both and returns true: c is a number or has the same root.
  bool is_monomial(Surd& coefficient, Number& exponent) const;
  /// Returns the surd in the grammar of levels: "(249 - 24*sqrt(15))/121".
  std::string to_string() const;
  /// Returns an upper bound on the characters of to_string(). Cheap.
  std::size_t text_size() const;

  /// Returns the integer power; 0^0 = 1. Throws NumberError for a negative power of zero, LimitError if the result
  /// is too large.
  Surd pow(std::int64_t exponent) const;
  Surd operator-() const { return {-plain_, -coefficient_, radicand_}; }
  friend Surd operator+(const Surd& a, const Surd& b);
  friend Surd operator-(const Surd& a, const Surd& b) { return a + -b; }
  friend Surd operator*(const Surd& a, const Surd& b);
  /// Throws NumberError if b is zero.
  friend Surd operator/(const Surd& a, const Surd& b);
  friend std::strong_ordering operator<=>(const Surd& a, const Surd& b);
  friend bool operator==(const Surd& a, const Surd& b) { return (a <=> b) == std::strong_ordering::equal; }

 private:
  Surd(Number plain, Number coefficient, Number radicand);
  static const Number& common_radicand(const Surd& a, const Surd& b);

  Number plain_;
  Number coefficient_;
  Number radicand_{1};
};

}  // namespace oddsbound

// Powers with rational exponents that stay in K.

namespace oddsbound::exact {

/// Returns the root of this degree >= 1 of a positive number if it is recognized as one in K: of c exp(r), with
/// rational c and r. nullopt for all other numbers.
std::optional<Number> root_of_degree(const Number& number, unsigned long degree);

/// Returns number^power for a positive number and a rational power. Throws NumberError if the result is not in K
/// (as the square root of 3), or if the power's parts exceed 10,000.
Number rational_power(const Number& number, const Number& power);

/// A positive rational as root^degree with the largest degree. The number itself with degree 1 if it is 1, not a
/// power, or has more than 8,192 bits.
struct PowerOfRoot {
  Number root;
  unsigned long degree = 1;
};
PowerOfRoot smallest_root(const Number& number);

}  // namespace oddsbound::exact
