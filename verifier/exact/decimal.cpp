#include "verifier/exact/decimal.h"

#include <arb.h>

#include <cmath>
#include <functional>
#include <limits>

#include "base/budget.h"
#include "base/errors.h"
#include "verifier/exact/expression.h"
#include "verifier/exact/interval.h"
#include "verifier/exact/number_detail.h"
#include "verifier/exact/scaled_level.h"

namespace oddsbound::exact {

namespace {

constexpr slong kDigits = 17;

void enclose_log_of(arb_t result, const Level& level, slong precision) {
  enclose_surd(result, level.exponential_as_surd(), precision);
  arb_log(result, result, precision);
}

// Formats mantissa * 10^exponent as a plain decimal if that is short, otherwise in scientific notation.
std::string decimal_text(const Integer& mantissa, long exponent) {
  if (mantissa == 0) return "0";
  std::string digits = Integer(abs(mantissa)).str();
  while (digits.size() > 1 && digits.back() == '0') {
    digits.pop_back();
    ++exponent;
  }
  const long point = static_cast<long>(digits.size()) + exponent;
  std::string text;
  if (point > 20 || point < -5) {
    text = digits.substr(0, 1) + (digits.size() > 1 ? "." + digits.substr(1) : "") + "e" + std::to_string(point - 1);
  } else if (point <= 0) {
    text = "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  } else if (exponent >= 0) {
    text = digits + std::string(static_cast<std::size_t>(exponent), '0');
  } else {
    text = digits.substr(0, static_cast<std::size_t>(point)) + "." + digits.substr(static_cast<std::size_t>(point));
  }
  return mantissa < 0 ? "-" + text : text;
}

// Returns the scale s for which value / 10^s has about `wanted` digits before the point.
long scale_of(const arb_t value, slong wanted) {
  fmpz_t exponent;
  fmpz_init(exponent);
  arf_abs_bound_lt_2exp_fmpz(exponent, arb_midref(value));
  const double digits = fmpz_get_d(exponent) * 0.30102999566398120;
  fmpz_clear(exponent);
  return static_cast<long>(std::ceil(digits)) - wanted;
}

// Bits of relative accuracy for which all digits but the last are certain.
slong bits_of_digits(slong digits) { return digits * 10 / 3 + 14; }

bool bounds_at(arb_t value, slong precision, slong digits, DecimalBounds& bounds) {
  if (arb_rel_accuracy_bits(value) < bits_of_digits(digits)) return false;
  const long scale = scale_of(value, digits);
  Ball ten;
  arb_set_ui(ten.get(), 10);
  arb_pow_ui(ten.get(), ten.get(), static_cast<ulong>(std::abs(scale)), precision);
  if (scale > 0) {
    arb_div(value, value, ten.get(), precision);
  } else {
    arb_mul(value, value, ten.get(), precision);
  }
  Ball rounded;
  fmpz_t low, high;
  fmpz_init(low);
  fmpz_init(high);
  arf_t edge;
  arf_init(edge);
  arb_get_lbound_arf(edge, value, precision);
  arf_get_fmpz(low, edge, ARF_RND_FLOOR);
  arb_get_ubound_arf(edge, value, precision);
  arf_get_fmpz(high, edge, ARF_RND_CEIL);
  bounds = {decimal_text(integer_of(low), scale), decimal_text(integer_of(high), scale)};
  arf_clear(edge);
  fmpz_clear(high);
  fmpz_clear(low);
  return true;
}

DecimalBounds refine(const std::function<void(arb_ptr, slong)>& enclosure, slong digits) {
  DecimalBounds bounds;
  for (slong precision = 128;; precision *= 2) {
    Ball value;
    enclosure(value.get(), precision);
    if (bounds_at(value.get(), precision, digits, bounds)) return bounds;
  }
}

Integer power_of_ten(long exponent) { return boost::multiprecision::pow(Integer(10), static_cast<unsigned>(exponent)); }

// A decimal of at most kDigits digits is its own lower and upper bound.
bool exact_decimal(const Rational& value, DecimalBounds& bounds) {
  Integer rest = denominator(value);
  long twos = 0;
  long fives = 0;
  for (; rest % 2 == 0 && twos < kDigits; ++twos) rest /= 2;
  for (; rest % 5 == 0 && fives < kDigits; ++fives) rest /= 5;
  if (rest != 1) return false;
  const long places = std::max(twos, fives);
  const Integer mantissa = Integer(numerator(value)) * power_of_ten(places) / Integer(denominator(value));
  if (abs(mantissa) >= power_of_ten(kDigits)) return false;
  const std::string text = decimal_text(mantissa, -places);
  bounds = {text, text};
  return true;
}

}  // namespace

DecimalBounds decimal_bounds(const Number& number, int digits) {
  DecimalBounds bounds;
  if (number.is_rational() && exact_decimal(rational_of(number), bounds)) return bounds;
  return refine([&](arb_ptr value, slong precision) { enclose_number(value, number, precision); }, digits);
}

Number rounded_decimal(const Number& number, bool up, int digits) {
  // Smaller numbers than 10^-300 become 0 or +-10^-300: results are short, and the grammar reads them.
  constexpr std::int64_t kSmallestPower = -300;
  if (!number.is_zero() && std::abs(number.approx()) < 0.5e-300) {
    const bool positive = number.sign() > 0;
    const Number smallest = Number(10).pow(kSmallestPower);
    return positive == up ? (positive ? smallest : -smallest) : Number(0);
  }
  const DecimalBounds bounds = decimal_bounds(number, digits);
  return parse_number(up ? bounds.upper : bounds.lower);
}

std::string decimal_text(const Number& number) {
  constexpr std::size_t kMostDigits = 12;
  const auto [lower, upper] = decimal_bounds(number);
  return lower == upper && lower.size() <= kMostDigits ? lower : number.to_string();
}

DecimalBounds decimal_bounds(const Level& level, int digits) {
  if (level.is_infinite()) return {"inf", "inf"};
  Surd coefficient;
  Number exponent;
  if (level.exponential_as_surd().is_monomial(coefficient, exponent) && coefficient.is_one()) {
    return decimal_bounds(exponent, digits);
  }
  return refine([&](arb_ptr value, slong precision) { enclose_log_of(value, level, precision); }, digits);
}

DecimalBounds decimal_bounds(const ScaledLevel& level, int digits) {
  if (level.level() != nullptr) return decimal_bounds(*level.level(), digits);
  Ball enclosed;
  return refine(
      [&](arb_ptr value, slong precision) {
        level.enclose(enclosed, precision);
        arb_set(value, enclosed.get());
      },
      digits);
}

std::optional<DecimalBounds> decimal_bounds(const Ball& value, long precision, int digits) {
  Ball scaled;
  arb_set(scaled.get(), value.get());
  DecimalBounds bounds;
  if (!bounds_at(scaled.get(), precision, digits, bounds)) return std::nullopt;
  return bounds;
}

DecimalBounds decimal_bounds(std::span<const WeightedLog> sum, int digits) {
  const auto enclose = [&](arb_ptr value, slong precision) {
    Ball weight, log;
    arb_zero(value);
    for (const WeightedLog& term : sum) {
      if (Budget* budget = Budget::current()) budget->check();
      enclose_number(weight.get(), term.weight, precision);
      enclose_number(log.get(), term.argument, precision);
      arb_log(log.get(), log.get(), precision);
      arb_addmul(value, weight.get(), log.get(), precision);
    }
  };
  return refine(enclose, digits);
}

namespace {

// Computes floor(number * 2^bits) if both ends of the enclosure have the same one; false otherwise.
bool scaled_floor(const Number& number, unsigned bits, slong precision, Integer& floor) {
  Ball value;
  enclose_number(value.get(), number, precision);
  arb_mul_2exp_si(value.get(), value.get(), bits);
  arb_floor(value.get(), value.get(), precision);
  fmpz_t digits;
  fmpz_init(digits);
  const bool unique = arb_get_unique_fmpz(digits, value.get()) != 0;
  if (unique) floor = integer_of(digits);
  fmpz_clear(digits);
  return unique;
}

}  // namespace

std::vector<std::uint64_t> binary_digits(const Number& number, unsigned words) {
  if (number.sign() < 0 || number >= Number(1)) throw NumberError("binary digits are those of a number in [0, 1)");
  const unsigned bits = 64 * words;
  Integer digits;
  if (number.is_rational()) {
    const Rational value = rational_of(number);
    digits = (Integer(numerator(value)) << bits) / Integer(denominator(value));
  } else {
    // Terminates: the number is irrational, so number * 2^bits is never an integer and some precision separates it
    // from them.
    for (slong precision = bits + 64; !scaled_floor(number, bits, precision, digits); precision *= 2) {
    }
  }
  std::vector<std::uint64_t> result(words);
  for (unsigned w = words; w-- > 0; digits >>= 64) {
    result[w] = static_cast<std::uint64_t>(digits & Integer(std::numeric_limits<std::uint64_t>::max()));
  }
  return result;
}

std::uint32_t binary_length(const Number& number) {
  constexpr std::uint32_t kEndless = std::numeric_limits<std::uint32_t>::max();
  if (!number.is_rational()) return kEndless;
  const Integer bottom = denominator(rational_of(number));
  const auto twos = lsb(bottom);
  return bottom == Integer(1) << twos ? static_cast<std::uint32_t>(twos) : kEndless;
}

}  // namespace oddsbound::exact
