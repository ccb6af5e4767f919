#include "verifier/exact/surd.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "base/errors.h"
#include "verifier/exact/interval.h"
#include "verifier/exact/number_detail.h"

namespace oddsbound::exact {

namespace {

// Divides known square factors out of a positive integer and returns the root of their product. Known: squares of
// factors up to 1000, and a rest that is itself a square.
Integer take_squares_out(Integer& integer) {
  constexpr unsigned kLargestFactor = 1000;
  Integer root = 1;
  for (unsigned factor = 2; factor <= kLargestFactor; ++factor) {
    const Integer square = Integer(factor) * factor;
    for (; integer % square == 0; root *= factor) integer /= square;
  }
  const Integer rest = sqrt(integer);
  if (rest * rest != integer) return root;
  integer = 1;
  return root * rest;
}

// Returns the sign of plain + coefficient * sqrt(radicand).
int sign_of(const Number& plain, const Number& coefficient, const Number& radicand) {
  const int of_plain = plain.sign();
  const int of_root = coefficient.sign();
  if (of_plain == of_root || of_root == 0) return of_plain;
  if (of_plain == 0) return of_root;
  return of_plain * (plain * plain - coefficient * coefficient * radicand).sign();
}

// Returns the order if enclosures of up to 1024 bits separate the two, otherwise 0.
int enclosed_order(const Surd& a, const Surd& b) {
  if (a.plain().has_symbols() || b.plain().has_symbols()) return 0;
  Ball left, right;
  for (slong precision = 64; precision <= 1024; precision *= 4) {
    enclose_surd(left.get(), a, precision);
    enclose_surd(right.get(), b, precision);
    if (arb_lt(left.get(), right.get())) return -1;
    if (arb_gt(left.get(), right.get())) return 1;
  }
  return 0;
}

}  // namespace

}  // namespace oddsbound::exact

namespace oddsbound {

Surd::Surd(Number plain, Number coefficient, Number radicand)
    : plain_(std::move(plain)), coefficient_(std::move(coefficient)), radicand_(std::move(radicand)) {
  if (coefficient_.is_zero()) {
    radicand_ = Number(1);
  } else if (plain_.has_symbols() || coefficient_.has_symbols()) {
    throw NumberError("symbols and sqrt(" + radicand_.to_string() + ") in one number cannot be represented exactly");
  }
}

Surd Surd::root_of(const Number& square) {
  if (square.has_symbols()) throw NumberError("the square root of " + square.to_string() + ", which has symbols");
  if (square.sign() < 0) throw NumberError("the square root of " + square.to_string() + ", which is negative");
  if (square.is_zero()) return {};
  if (!square.is_rational()) {
    Number coefficient, exponent;
    if (!square.is_monomial(coefficient, exponent)) return {Number(0), Number(1), square};
    return root_of(coefficient) * Surd(Number::exp_of(exponent / Number(2)));
  }
  const Rational value = rational_of(square);
  const Integer below = denominator(value);
  Integer under = Integer(numerator(value)) * below;
  const Number factor = make_number(Rational(take_squares_out(under), below));
  if (under == 1) return factor;
  return {Number(0), factor, make_number(Rational(under))};
}

int Surd::sign() const { return sign_of(plain_, coefficient_, radicand_); }

double Surd::approx() const {
  constexpr slong kBits = 56;
  if (is_number()) return plain_.approx();
  // The radicand may be an unrecognized square.
  if (sign() == 0) return 0;
  Ball value;
  for (slong precision = 80; arb_rel_accuracy_bits(value.get()) < kBits || arb_is_zero(value.get()); precision *= 2) {
    enclose_surd(value.get(), *this, precision);
  }
  return near_double(value.get());
}

bool Surd::is_monomial(Surd& coefficient, Number& exponent) const {
  Number plain, of_root, other;
  if (is_number()) {
    if (!plain_.is_monomial(plain, exponent)) return false;
    coefficient = plain;
    return true;
  }
  if (!coefficient_.is_monomial(of_root, exponent)) return false;
  if (!plain_.is_zero() && (!plain_.is_monomial(plain, other) || other != exponent)) return false;
  coefficient = Surd(plain, of_root, radicand_);
  return true;
}

std::string Surd::to_string() const {
  if (is_number()) return plain_.to_string();
  std::string root = "sqrt(" + radicand_.to_string() + ")";
  if (!coefficient_.is_rational() || !plain_.is_rational()) {
    if (!coefficient_.is_one()) root = "(" + coefficient_.to_string() + ")*" + root;
    return plain_.is_zero() ? root : "(" + plain_.to_string() + ") + " + root;
  }
  const Rational plain = rational_of(plain_);
  const Rational coefficient = rational_of(coefficient_);
  const Integer below = lcm(Integer(denominator(plain)), Integer(denominator(coefficient)));
  const Integer first = Integer(numerator(plain) * (below / denominator(plain)));
  const Integer second = Integer(numerator(coefficient) * (below / denominator(coefficient)));
  if (abs(second) != 1) root = Integer(abs(second)).str() + "*" + root;
  const std::string minus = second < 0 ? (first == 0 ? "-" : " - ") : (first == 0 ? "" : " + ");
  const std::string sum = (first == 0 ? "" : first.str()) + minus + root;
  if (below == 1) return sum;
  return (first == 0 ? sum : "(" + sum + ")") + "/" + below.str();
}

std::size_t Surd::text_size() const {
  if (is_number()) return plain_.text_size();
  constexpr std::size_t kSigns = 16;
  // Both parts may be written over a common denominator.
  return 2 * (plain_.text_size() + coefficient_.text_size()) + radicand_.text_size() + kSigns;
}

Surd Surd::pow(std::int64_t exponent) const {
  if (is_number()) return plain_.pow(exponent);
  const Surd base = exponent < 0 ? Surd(Number(1)) / *this : *this;
  const auto count = static_cast<std::uint64_t>(std::abs(exponent));
  if (count > kMaxBits / (plain_.bits() + coefficient_.bits() + radicand_.bits())) {
    throw LimitError("a power passes the limit of " + std::to_string(kMaxBits) + " bits");
  }
  Surd result(Number(1));
  for (std::uint64_t bit = std::bit_floor(count); bit > 0; bit /= 2) {
    result = result * result;
    if ((count & bit) != 0) result = result * base;
  }
  return result;
}

const Number& Surd::common_radicand(const Surd& a, const Surd& b) {
  if (a.is_number()) return b.radicand_;
  if (!b.is_number() && a.radicand_ != b.radicand_) {
    throw NumberError("sqrt(" + a.radicand_.to_string() + ") and sqrt(" + b.radicand_.to_string() +
                      ") in one number cannot be represented exactly");
  }
  return a.radicand_;
}

Surd operator+(const Surd& a, const Surd& b) {
  if (a.is_number() && b.is_number()) return a.plain_ + b.plain_;
  return {a.plain_ + b.plain_, a.coefficient_ + b.coefficient_, Surd::common_radicand(a, b)};
}

Surd operator*(const Surd& a, const Surd& b) {
  if (a.is_number() && b.is_number()) return a.plain_ * b.plain_;
  const Number& radicand = Surd::common_radicand(a, b);
  return {a.plain_ * b.plain_ + a.coefficient_ * b.coefficient_ * radicand,
          a.plain_ * b.coefficient_ + a.coefficient_ * b.plain_, radicand};
}

Surd operator/(const Surd& a, const Surd& b) {
  if (b.is_number()) return {a.plain_ / b.plain_, a.coefficient_ / b.plain_, a.radicand_};
  const Number norm = b.plain_ * b.plain_ - b.coefficient_ * b.coefficient_ * b.radicand_;
  if (!norm.is_zero()) return a * Surd(b.plain_ / norm, -b.coefficient_ / norm, b.radicand_);
  // The radicand is an unrecognized square: b is 0 or twice its plain part.
  if (b.sign() == 0) throw NumberError("division by zero");
  return a / Surd(b.plain_ + b.plain_);
}

// Tries enclosures first: the exact difference of numbers with exp may be too large to form. Otherwise finds the
// sign of (plain + first * sqrt(d)) + second * sqrt(e) by comparing the squares of the parenthesis and of the last
// term.
std::strong_ordering operator<=>(const Surd& a, const Surd& b) {
  if (a.is_number() && b.is_number()) return a.plain_ <=> b.plain_;
  if (const int order = enclosed_order(a, b)) return order <=> 0;
  const Number plain = a.plain_ - b.plain_;
  const Number& d = a.radicand_;
  const Number& e = b.radicand_;
  const int of_two = sign_of(plain, a.coefficient_, d);
  const int of_third = -b.coefficient_.sign();
  if (of_third == 0 || of_two == of_third) return of_two <=> 0;
  if (of_two == 0) return of_third <=> 0;
  const Number squares = plain * plain + a.coefficient_ * a.coefficient_ * d - b.coefficient_ * b.coefficient_ * e;
  const Number mixed = Number(2) * plain * a.coefficient_;
  return of_two * sign_of(squares, mixed, d) <=> 0;
}

}  // namespace oddsbound

namespace oddsbound::exact {

void enclose_surd(arb_t result, const Surd& surd, slong precision) {
  if (surd.is_number()) return enclose_number(result, surd.plain(), precision);
  Ball root, factor;
  enclose_number(root.get(), surd.radicand(), precision);
  arb_sqrt(root.get(), root.get(), precision);
  enclose_number(factor.get(), surd.coefficient(), precision);
  enclose_number(result, surd.plain(), precision);
  arb_addmul(result, factor.get(), root.get(), precision);
}

namespace {

bool exact_root(const Integer& integer, unsigned long degree, Integer& root) {
  return mpz_root(root.backend().data(), integer.backend().data(), degree) != 0;
}

bool is_prime(unsigned long degree) {
  for (unsigned long d = 2; d * d <= degree; ++d) {
    if (degree % d == 0) return false;
  }
  return true;
}

}  // namespace

PowerOfRoot smallest_root(const Number& number) {
  constexpr std::size_t kMostBits = 8192;
  PowerOfRoot power{number};
  std::size_t bits = number.bits();
  if (!number.is_rational() || number.sign() <= 0 || number.is_one() || bits > kMostBits) return power;
  const Rational value = rational_of(number);
  Integer top = numerator(value);
  Integer bottom = denominator(value);
  // If the degree exceeds the number of bits, the root lies strictly between 1 and 2.
  for (unsigned long degree = 2; degree <= bits; ++degree) {
    if (!is_prime(degree)) continue;
    Integer top_root, bottom_root;
    while (exact_root(top, degree, top_root) && exact_root(bottom, degree, bottom_root)) {
      top = top_root;
      bottom = bottom_root;
      power.degree *= degree;
      bits = std::max(bits_of(top), bits_of(bottom));
    }
  }
  power.root = make_number(Rational(top, bottom));
  return power;
}

std::optional<Number> root_of_degree(const Number& number, unsigned long degree) {
  if (degree == 1) return number;
  Number coefficient, exponent;
  if (number.sign() <= 0 || !number.is_monomial(coefficient, exponent)) return std::nullopt;
  const Rational value = rational_of(coefficient);
  Integer top, bottom;
  if (!exact_root(Integer(numerator(value)), degree, top) || !exact_root(Integer(denominator(value)), degree, bottom)) {
    return std::nullopt;
  }
  return make_number(Rational(top, bottom)) * Number::exp_of(exponent / Number(static_cast<std::int64_t>(degree)));
}

Number rational_power(const Number& number, const Number& power) {
  constexpr std::int64_t kMost = 10'000;
  std::int64_t top = 0;
  std::int64_t bottom = 0;
  if (!power.fits_ratio(top, bottom) || std::abs(top) > kMost || bottom > kMost) {
    throw NumberError("the power " + power.to_string() + " is not a fraction of small integers");
  }
  if (bottom == 1) return number.pow(top);
  const auto root = root_of_degree(number, static_cast<unsigned long>(bottom));
  if (!root) {
    throw NumberError("(" + number.to_string() + ")^(" + power.to_string() + ") cannot be written exactly");
  }
  return root->pow(top);
}

}  // namespace oddsbound::exact
