// Numbers with one square root in them: what is largest on the line between two priors is one.
#pragma once

#include <compare>
#include <string>

#include "verifier/exact/number.h"

namespace oddsbound::exact {

/// plain + coefficient * sqrt(radicand), all three in K and without symbols; the radicand is positive. A number is one
/// whose coefficient is 0, and may have symbols.
///
/// Sums, products and quotients are of surds with the same radicand, or of one and a number of K: others throw
/// NumberError. All surds compare; equality is decided by order and is not structural.
class Surd {
 public:
  Surd() = default;
  Surd(Number plain) : plain_(std::move(plain)) {}  // NOLINT: a number is a surd
  /// The square root of a number that is not negative; powers of exp are taken out, and squares out of a rational as
  /// far as its small prime factors tell. Throws NumberError for a negative number, and for one with symbols.
  static Surd root_of(const Number& square);

  bool is_number() const { return coefficient_.is_zero(); }
  bool is_rational() const { return is_number() && plain_.is_rational(); }
  bool is_one() const { return is_number() && plain_.is_one(); }
  const Number& plain() const { return plain_; }
  const Number& coefficient() const { return coefficient_; }
  const Number& radicand() const { return radicand_; }

  int sign() const;
  /// A double near it, as that of a number is.
  double approx() const;
  /// If the surd is c * exp(r) with a rational r, says so and gives both: c is a number or has the same root.
  bool is_monomial(Surd& coefficient, Number& exponent) const;
  /// In the grammar of levels: "(249 - 24*sqrt(15))/121".
  std::string to_string() const;
  /// Characters of to_string(), or somewhat more; costs little.
  std::size_t text_size() const;

  /// The integer power; 0^0 is 1. Throws NumberError for a negative power of zero, LimitError if it would not fit.
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

// Powers with rational exponents, where they stay in K.

/// number^power for a positive number and a rational power. Throws NumberError if the result is not in K, as for the
/// square root of 3.
Number rational_power(const Number& number, const Number& power);

/// A positive rational as root^degree, the degree as large as can be; the number itself with degree 1 where it is 1, is
/// no power, or has more than 8,192 bits.
struct PowerOfRoot {
  Number root;
  unsigned long degree = 1;
};
PowerOfRoot smallest_root(const Number& number);

}  // namespace oddsbound::exact
