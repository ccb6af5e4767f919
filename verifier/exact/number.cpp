// Dispatch between the four representations of a Number, and the word-sized fast path.
#include "verifier/exact/number.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <vector>

#include "base/budget.h"
#include "base/errors.h"
#include "verifier/exact/interval.h"
#include "verifier/exact/number_detail.h"
#include "verifier/exact/quotient_process.h"

namespace oddsbound::exact {

namespace {

constexpr std::size_t kLongText = 4096;  // bits

// Euclid's algorithm on 128 bits until both operands fit 64 bits, where the machine divides.
unsigned __int128 wide_gcd(unsigned __int128 a, unsigned __int128 b) {
  while (b != 0) {
    if ((a >> 64) == 0 && (b >> 64) == 0) {
      std::uint64_t x = static_cast<std::uint64_t>(a);
      std::uint64_t y = static_cast<std::uint64_t>(b);
      while (y != 0) {
        const std::uint64_t rest = x % y;
        x = y;
        y = rest;
      }
      return x;
    }
    const unsigned __int128 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// Boost's constructor from a string would read a leading 0 as octal.
Integer decimal_integer(std::string_view digits) {
  Integer result;
  if (mpz_set_str(result.backend().data(), std::string(digits).c_str(), 10) != 0) {
    throw NumberError("'" + std::string(digits) + "' is not a decimal integer");
  }
  return result;
}

Number reduced(Wide numerator, Wide denominator) {
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  const Wide divisor = static_cast<Wide>(
      wide_gcd(static_cast<unsigned __int128>(magnitude(numerator)), static_cast<unsigned __int128>(denominator)));
  numerator /= divisor;
  denominator /= divisor;
  if (magnitude(numerator) <= kWordMax && denominator <= kWordMax) {
    return Number::ratio(static_cast<std::int64_t>(numerator), static_cast<std::int64_t>(denominator));
  }
  return make_number(Rational(wide_integer(numerator), wide_integer(denominator)));
}

ExpQuotient as_quotient(const Number& number, const ExpQuotient& like) {
  if (const ExpQuotient* quotient = quotient_of(number)) return *quotient;
  return like.constant_beside(rational_of(number));
}

template <typename OnRationals, typename OnQuotients, typename OnSymbolic>
Number apply(const Number& a, const Number& b, OnRationals on_rationals, OnQuotients on_quotients,
             OnSymbolic on_symbolic) {
  if (a.has_symbols() || b.has_symbols()) {
    const SymbolQuotient& like = a.has_symbols() ? *symbolic_of(a) : *symbolic_of(b);
    return make_number(on_symbolic(as_symbolic(a, like), as_symbolic(b, like)));
  }
  const ExpQuotient* left = quotient_of(a);
  const ExpQuotient* right = quotient_of(b);
  if (left == nullptr && right == nullptr) {
    const auto compute = [&] { return on_rationals(rational_of(a), rational_of(b)); };
    const std::size_t size = a.bits() + b.bits();
    if (size >= kLargeOperands) return make_number(within_budget(size, compute));
    Budget::work_on(size);
    return make_number(compute());
  }
  if (left != nullptr && right != nullptr) return make_number(on_quotients(*left, *right));
  return left != nullptr ? make_number(on_quotients(*left, as_quotient(b, *left)))
                         : make_number(on_quotients(as_quotient(a, *right), *right));
}

struct Product {
  const Number* first;
  const Number* second;  // null stands for 1
};

void enclose_product(arb_t result, const Product& product, slong precision) {
  enclose_number(result, *product.first, precision);
  if (product.second == nullptr) return;
  Ball factor;
  enclose_number(factor.get(), *product.second, precision);
  arb_mul(result, result, factor.get(), precision);
}

// Returns less or greater if the enclosures at this precision are disjoint, otherwise unordered.
std::partial_ordering compare_enclosures(const Product& left, const Product& right, slong precision) {
  Ball a, b;
  enclose_product(a.get(), left, precision);
  enclose_product(b.get(), right, precision);
  if (arb_lt(a.get(), b.get())) return std::partial_ordering::less;
  if (arb_gt(a.get(), b.get())) return std::partial_ordering::greater;
  return std::partial_ordering::unordered;
}

}  // namespace

}  // namespace oddsbound::exact

namespace oddsbound {

Number Number::ratio(std::int64_t numerator, std::int64_t denominator) {
  if (denominator == 0) throw NumberError("division by zero");
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  if (numerator == kLowest || denominator == kLowest) {
    return make_number(Rational(Integer(numerator), Integer(1))) /
           make_number(Rational(Integer(denominator), Integer(1)));
  }
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  Number result;
  if (denominator == 1) {
    result.numerator_ = numerator;
    return result;
  }
  const std::int64_t divisor = static_cast<std::int64_t>(
      wide_gcd(static_cast<unsigned __int128>(magnitude(numerator)), static_cast<unsigned __int128>(denominator)));
  result.numerator_ = numerator / divisor;
  result.denominator_ = denominator / divisor;
  return result;
}

Number Number::from_digits(std::string_view numerator, std::string_view denominator) {
  const Integer top = decimal_integer(numerator);
  const Integer bottom = decimal_integer(denominator);
  if (bottom == 0) throw NumberError("division by zero");
  return make_number(Rational(top, bottom));
}

Number Number::exp_of(const Number& exponent) {
  if (!exponent.is_rational()) throw NumberError("exp of a number that is not rational cannot be represented exactly");
  if (exponent.is_zero()) return Number(1);
  return make_number(ExpQuotient::exp_of(rational_of(exponent)));
}

bool Number::is_rational() const { return !heavy_ || std::holds_alternative<Rational>(heavy_->value); }

bool Number::has_symbols() const { return symbolic_of(*this) != nullptr; }

bool Number::is_integer() const {
  if (!heavy_) return denominator_ == 1;
  return is_rational() && denominator(std::get<Rational>(heavy_->value)) == 1;
}

bool Number::fits_int64(std::int64_t& value) const {
  value = numerator_;
  return !heavy_ && denominator_ == 1;
}

bool Number::fits_ratio(std::int64_t& numerator, std::int64_t& denominator) const {
  numerator = numerator_;
  denominator = denominator_;
  return !heavy_;
}

std::size_t Number::bits() const {
  if (!heavy_) return 64;
  if (const SymbolQuotient* symbolic = symbolic_of(*this)) return symbolic->bits();
  if (const ExpQuotient* quotient = quotient_of(*this)) return quotient->bits();
  const Rational& value = std::get<Rational>(heavy_->value);
  return std::max(mpz_sizeinbase(mpq_numref(value.backend().data()), 2),
                  mpz_sizeinbase(mpq_denref(value.backend().data()), 2));
}

std::size_t Number::text_size() const {
  constexpr std::size_t kBitsOfThreeDigits = 9;
  constexpr std::size_t kBesideDigits = 40;
  if (!heavy_) return kBesideDigits;
  if (has_symbols()) return to_string().size();
  const ExpQuotient* quotient = quotient_of(*this);
  const ExpQuotient::Written written = quotient != nullptr ? quotient->written() : ExpQuotient::Written{1, 2 * bits()};
  return written.bits / kBitsOfThreeDigits * 3 + written.terms * kBesideDigits;
}

bool Number::is_monomial(Number& coefficient, Number& exponent) const {
  if (has_symbols()) return false;
  const ExpQuotient* quotient = quotient_of(*this);
  if (quotient == nullptr) {
    coefficient = *this;
    exponent = Number(0);
    return true;
  }
  Rational factor, power;
  if (!quotient->is_monomial(factor, power)) return false;
  coefficient = make_number(factor);
  exponent = make_number(power);
  return true;
}

int Number::sign() const {
  if (!heavy_) return numerator_ > 0 ? 1 : (numerator_ < 0 ? -1 : 0);
  if (const SymbolQuotient* symbolic = symbolic_of(*this)) return symbolic->sign();
  if (const ExpQuotient* quotient = quotient_of(*this)) return quotient->sign();
  return mpq_sgn(std::get<Rational>(heavy_->value).backend().data());
}

double Number::approx() const {
  if (!heavy_) return static_cast<double>(numerator_) / static_cast<double>(denominator_);
  if (has_symbols()) return std::numeric_limits<double>::infinity();
  if (const ExpQuotient* quotient = quotient_of(*this)) return approx_of(*quotient);
  return approx_of(std::get<Rational>(heavy_->value));
}

std::size_t Number::hash() const {
  if (!heavy_) {
    return (static_cast<std::size_t>(numerator_) * 0x9e3779b97f4a7c15ULL) ^
           (static_cast<std::size_t>(denominator_) * 0xc2b2ae3d27d4eb4fULL);
  }
  if (const SymbolQuotient* symbolic = symbolic_of(*this)) return symbolic->hash();
  if (const ExpQuotient* quotient = quotient_of(*this)) return quotient->hash();
  const mpq_t& value = std::get<Rational>(heavy_->value).backend().data();
  return mpz_fdiv_ui(mpq_numref(value), 0xffffffffffffffc5UL) * 31 +
         mpz_fdiv_ui(mpq_denref(value), 0xffffffffffffffc5UL);
}

std::string Number::to_string() const {
  if (!heavy_) {
    return denominator_ == 1 ? std::to_string(numerator_)
                             : std::to_string(numerator_) + "/" + std::to_string(denominator_);
  }
  if (const SymbolQuotient* symbolic = symbolic_of(*this)) return symbolic->to_string();
  if (const ExpQuotient* quotient = quotient_of(*this)) return quotient->to_string();
  // Short numbers must be writable even after a limit was reached.
  if (const std::size_t size = bits(); size > kLongText) Budget::work_on(size);
  return rational_text(std::get<Rational>(heavy_->value));
}

Number Number::operator-() const {
  if (!heavy_) {
    Number result(*this);
    result.numerator_ = -numerator_;
    return result;
  }
  if (const SymbolQuotient* symbolic = symbolic_of(*this)) return make_number(symbolic->negate());
  if (const ExpQuotient* quotient = quotient_of(*this)) return make_number(quotient->negate());
  return make_number(Rational(-std::get<Rational>(heavy_->value)));
}

Number Number::pow(std::int64_t exponent) const {
  if (exponent == 0) return Number(1);
  if (is_zero()) {
    if (exponent < 0) throw NumberError("a negative power of zero");
    return *this;
  }
  if (const SymbolQuotient* symbolic = symbolic_of(*this)) return make_number(symbolic->power(exponent));
  if (const ExpQuotient* quotient = quotient_of(*this)) return make_number(quotient->power(exponent));
  const Rational base = rational_of(*this);
  const std::uint64_t count = static_cast<std::uint64_t>(std::abs(exponent));
  const std::size_t size = std::max(mpz_sizeinbase(mpq_numref(base.backend().data()), 2),
                                    mpz_sizeinbase(mpq_denref(base.backend().data()), 2));
  if (size > 1 && count > kMaxBits / size) {
    throw LimitError("a power passes the limit of " + std::to_string(kMaxBits) + " bits");
  }
  Budget::work_on(size * count);
  Rational result;
  mpz_pow_ui(mpq_numref(result.backend().data()), mpq_numref(base.backend().data()), count);
  mpz_pow_ui(mpq_denref(result.backend().data()), mpq_denref(base.backend().data()), count);
  if (exponent < 0) result = Rational(1 / result);
  return make_number(result);
}

Number operator+(const Number& a, const Number& b) {
  if (!a.heavy_ && !b.heavy_) {
    if (a.denominator_ == b.denominator_)
      return reduced(static_cast<Wide>(a.numerator_) + b.numerator_, a.denominator_);
    // Each product is below 2^126, so the sum of two fits a signed 128-bit integer.
    return reduced(static_cast<Wide>(a.numerator_) * b.denominator_ + static_cast<Wide>(b.numerator_) * a.denominator_,
                   static_cast<Wide>(a.denominator_) * b.denominator_);
  }
  return apply(
      a, b, [](const Rational& x, const Rational& y) { return Rational(x + y); },
      [](const ExpQuotient& x, const ExpQuotient& y) { return x.add(y); },
      [](const SymbolQuotient& x, const SymbolQuotient& y) { return x.add(y); });
}

Number operator-(const Number& a, const Number& b) {
  if (!a.heavy_ && !b.heavy_) return a + (-b);
  return apply(
      a, b, [](const Rational& x, const Rational& y) { return Rational(x - y); },
      [](const ExpQuotient& x, const ExpQuotient& y) { return x.subtract(y); },
      [](const SymbolQuotient& x, const SymbolQuotient& y) { return x.add(y.negate()); });
}

Number operator*(const Number& a, const Number& b) {
  if (!a.heavy_ && !b.heavy_) {
    return reduced(static_cast<Wide>(a.numerator_) * b.numerator_, static_cast<Wide>(a.denominator_) * b.denominator_);
  }
  return apply(
      a, b, [](const Rational& x, const Rational& y) { return Rational(x * y); },
      [](const ExpQuotient& x, const ExpQuotient& y) { return x.multiply(y); },
      [](const SymbolQuotient& x, const SymbolQuotient& y) { return x.multiply(y); });
}

Number operator/(const Number& a, const Number& b) {
  if (b.is_zero()) throw NumberError("division by zero");
  if (!a.heavy_ && !b.heavy_) {
    return reduced(static_cast<Wide>(a.numerator_) * b.denominator_, static_cast<Wide>(a.denominator_) * b.numerator_);
  }
  return apply(
      a, b, [](const Rational& x, const Rational& y) { return Rational(x / y); },
      [](const ExpQuotient& x, const ExpQuotient& y) { return x.divide(y); },
      [](const SymbolQuotient& x, const SymbolQuotient& y) { return x.multiply(y.invert()); });
}

bool operator==(const Number& a, const Number& b) {
  if (!a.heavy_ || !b.heavy_) {
    return !a.heavy_ && !b.heavy_ && a.numerator_ == b.numerator_ && a.denominator_ == b.denominator_;
  }
  if (a.heavy_ == b.heavy_) return true;
  if (a.heavy_->value.index() != b.heavy_->value.index()) return false;
  if (a.has_symbols()) return symbolic_of(a)->equals(*symbolic_of(b));
  if (const ExpQuotient* left = quotient_of(a)) return left->equals(*quotient_of(b));
  return std::get<Rational>(a.heavy_->value) == std::get<Rational>(b.heavy_->value);
}

std::strong_ordering operator<=>(const Number& a, const Number& b) {
  if (!a.heavy_ && !b.heavy_) {
    const Wide left = static_cast<Wide>(a.numerator_) * b.denominator_;
    const Wide right = static_cast<Wide>(b.numerator_) * a.denominator_;
    return left <=> right;
  }
  if (a == b) return std::strong_ordering::equal;
  if (a.is_rational() && b.is_rational()) {
    Budget::work_on(a.bits() + b.bits());
    return rational_of(a).compare(rational_of(b)) <=> 0;
  }
  if (a.has_symbols() || b.has_symbols()) return (a - b).sign() <=> 0;
  // Different values have disjoint enclosures at some precision. The exact difference may be too large to form.
  for (long precision = 64;; precision *= 2) {
    const std::partial_ordering order = compare_enclosures({&a, nullptr}, {&b, nullptr}, precision);
    if (order != std::partial_ordering::unordered)
      return order < 0 ? std::strong_ordering::less : std::strong_ordering::greater;
  }
}

std::strong_ordering structural_order(const Number& a, const Number& b) {
  if (a.has_symbols() && b.has_symbols()) return a.to_string().compare(b.to_string()) <=> 0;
  if (a.has_symbols() || b.has_symbols()) return a.has_symbols() <=> b.has_symbols();
  return a <=> b;
}

}  // namespace oddsbound

namespace oddsbound::exact {

std::strong_ordering compare_products(const Number& a, const Number& b, const Number& c, const Number& d) {
  const bool symbols = a.has_symbols() || b.has_symbols() || c.has_symbols() || d.has_symbols();
  if (!symbols && (!a.is_rational() || !b.is_rational() || !c.is_rational() || !d.is_rational())) {
    for (const long precision : {64, 128, 256}) {
      const std::partial_ordering order = compare_enclosures({&a, &b}, {&c, &d}, precision);
      if (order != std::partial_ordering::unordered)
        return order < 0 ? std::strong_ordering::less : std::strong_ordering::greater;
    }
  }
  return a * b <=> c * d;
}

}  // namespace oddsbound::exact
