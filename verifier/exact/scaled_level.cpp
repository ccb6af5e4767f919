#include "verifier/exact/scaled_level.h"

#include "base/budget.h"
#include "base/errors.h"
#include "verifier/exact/expression.h"
#include "verifier/exact/interval.h"
#include "verifier/exact/number_detail.h"

namespace oddsbound::exact {

namespace {

// Separates the root from the unit. No level is written with it.
constexpr std::string_view kTimes = " * ";

// A rational distance, if the square is the square of one.
std::optional<Number> rational_root(const Number& square) {
  const Surd root = Surd::root_of(square);
  if (root.is_rational()) return root.plain();
  // Surd takes small factors out only.
  Integer top = numerator(rational_of(square)), bottom = denominator(rational_of(square));
  if (mpz_perfect_square_p(top.backend().data()) == 0 || mpz_perfect_square_p(bottom.backend().data()) == 0) {
    return std::nullopt;
  }
  return make_number(Rational(Integer(sqrt(top)), Integer(sqrt(bottom))));
}

// The exponent if the level is rational.
std::optional<Number> rational_level(const Level& level) {
  Number coefficient, exponent;
  if (level.surd() != nullptr || !level.exponential().is_monomial(coefficient, exponent) || !coefficient.is_one()) {
    return std::nullopt;
  }
  return exponent;
}

int sign_of(const Ball& ball) {
  return arb_is_positive(ball.get()) != 0 ? 1 : arb_is_negative(ball.get()) != 0 ? -1 : 0;
}

// The sign of log(high / low) - level at this precision; 0 if it is not known.
int sign_at(const Number& high, const Number& low, const ScaledLevel& level, long bits) {
  if (Budget* budget = Budget::current()) budget->check();
  Ball difference, other;
  enclose_log(difference, high, bits);
  enclose_log(other, low, bits);
  arb_sub(difference.get(), difference.get(), other.get(), bits);
  level.enclose(other, bits);
  arb_sub(difference.get(), difference.get(), other.get(), bits);
  return sign_of(difference);
}

// The exact order of log(high / low) and (top / bottom) * unit.
std::strong_ordering exact_order(const Number& high, const Number& low, const Number& unit, const Number& distance) {
  std::int64_t top = 0, bottom = 1;
  if (!distance.fits_ratio(top, bottom)) throw LimitError("a distance is too long for an exact comparison");
  return compare_products(high.pow(bottom), Number(1), low.pow(bottom), unit.pow(top));
}

std::strong_ordering order_of(int sign) {
  return sign > 0 ? std::strong_ordering::greater : sign < 0 ? std::strong_ordering::less : std::strong_ordering::equal;
}

}  // namespace

ScaledLevel ScaledLevel::of(const Level& unit, const Number& square) {
  if (square.is_zero() || unit.is_zero()) return Level();
  if (unit.is_infinite()) return unit;
  const auto root = rational_root(square);
  if (const auto rational = rational_level(unit)) {
    if (root) return Level::of_exponential(Number::exp_of(*rational * *root));
    return {Level::of_exponential(Number::exp_of(Number(1))), *rational * *rational * square};
  }
  if (root) {
    try {
      return Level::of_exponential(rational_power(unit.exponential(), *root));
    } catch (const NumberError&) {
      return {unit, square};  // no element of K, or too long to be one
    }
  }
  return {unit, square};
}

ScaledLevel ScaledLevel::parse(std::string_view text) {
  const std::size_t times = text.find(kTimes);
  if (times != std::string_view::npos) {
    const Surd root = as_surd(evaluate_expression(text.substr(0, times)));
    const Surd square = root * root;
    if (!square.is_rational() || root.sign() <= 0) {
      throw NumberError("expected the square root of a rational number before ' * '");
    }
    return of(parse_level(text.substr(times + kTimes.size())), square.plain());
  }
  return as_scaled_level(evaluate_expression(text));
}

ScaledLevel as_scaled_level(const ExpressionValue& value) {
  if (value.infinite || value.plain.is_rational() || !value.under_log.is_one()) return as_level(value);
  const Surd square = value.plain * value.plain;
  if (!square.is_rational()) return as_level(value);  // throws
  if (value.plain.sign() < 0) throw NumberError("the level is negative; a privacy level must be at least 0");
  return ScaledLevel::of(Level::of_exponential(Number::exp_of(Number(1))), square.plain());
}

std::string ScaledLevel::to_string() const {
  if (level() != nullptr) return unit_.to_string();
  const Surd root = Surd::root_of(square_);
  if (rational_level(unit_)) return root.to_string();  // the unit is 1
  const std::string unit = unit_.to_string();
  return root.to_string() + std::string(kTimes) + (unit.find(' ') == std::string::npos ? unit : "(" + unit + ")");
}

double ScaledLevel::approx() const {
  if (level() != nullptr) return unit_.approx();
  Ball value;
  enclose(value, 80);
  return near_double(value.get());
}

void ScaledLevel::enclose(Ball& value, long bits) const {
  if (unit_.surd() == nullptr) {
    enclose_log(value, unit_.exponential(), bits);
  } else {
    enclose_surd(value.get(), *unit_.surd(), bits);
    arb_log(value.get(), value.get(), bits);
  }
  if (square_.is_one()) return;
  Ball root(square_, bits);
  arb_sqrt(root.get(), root.get(), bits);
  arb_mul(value.get(), value.get(), root.get(), bits);
}

void enclose_log(Ball& value, const Number& number, long bits) {
  Number coefficient, exponent;
  if (!number.is_monomial(coefficient, exponent)) {
    enclose_number(value.get(), number, bits);
    arb_log(value.get(), value.get(), bits);
    return;
  }
  enclose_number(value.get(), coefficient, bits);
  arb_log(value.get(), value.get(), bits);
  if (exponent.is_zero()) return;
  Ball plain(exponent, bits);
  arb_add(value.get(), value.get(), plain.get(), bits);
}

std::optional<std::strong_ordering> compare_loss(const Number& high, const Number& low, const ScaledLevel& level) {
  if (level.is_infinite()) return std::strong_ordering::less;
  constexpr long kFirst = 128;
  if (const int sign = sign_at(high, low, level, kFirst)) return order_of(sign);
  if (const Level* own = level.level()) {
    if (own->surd() == nullptr) return compare_products(high, Number(1), low, own->exponential());
    return Surd(high / low) <=> *own->surd();
  }
  if (const auto distance = rational_root(level.square())) {
    return exact_order(high, low, level.unit().exponential(), *distance);
  }
  for (long bits = 4 * kFirst;; bits *= 4) {
    const long used = std::min(bits, kMostComparedBits);
    if (const int sign = sign_at(high, low, level, used)) return order_of(sign);
    if (used == kMostComparedBits) return std::nullopt;
  }
}

std::optional<std::strong_ordering> compare(const Level& level, const ScaledLevel& bound) {
  if (const Level* own = bound.level()) return level <=> *own;
  if (level.is_infinite()) return std::strong_ordering::greater;
  if (level.surd() == nullptr) return compare_loss(level.exponential(), Number(1), bound);
  for (long bits = 128;; bits *= 4) {
    const long used = std::min(bits, kMostComparedBits);
    if (Budget* budget = Budget::current()) budget->check();
    Ball difference, other;
    ScaledLevel(level).enclose(difference, used);
    bound.enclose(other, used);
    arb_sub(difference.get(), difference.get(), other.get(), used);
    if (const int sign = sign_of(difference)) return order_of(sign);
    if (used == kMostComparedBits) return std::nullopt;
  }
}

}  // namespace oddsbound::exact
