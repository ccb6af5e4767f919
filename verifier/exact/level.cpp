#include "verifier/exact/level.h"

#include <cmath>
#include <limits>

#include "base/errors.h"
#include "verifier/exact/rational_power.h"

namespace oddsbound::exact {

Level Level::of_exponential(Number exponential) {
  if (exponential < Number(1)) throw NumberError("a privacy level must be at least 0");
  return Level(std::optional<Number>(std::move(exponential)));
}

std::string Level::to_string() const {
  if (!exponential_) return "inf";
  Number coefficient, exponent;
  if (!exponential_->is_monomial(coefficient, exponent) || coefficient.sign() < 0) {
    return "log(" + exponential_->to_string() + ")";
  }
  if (coefficient.is_one()) return exponent.to_string();
  if (exponent.is_zero()) return "log(" + coefficient.to_string() + ")";
  return exponent.to_string() + " + log(" + coefficient.to_string() + ")";
}

std::string Level::root_text() const {
  Number coefficient, exponent;
  if (!exponential_ || !exponential_->is_monomial(coefficient, exponent) || coefficient.sign() < 0) return to_string();
  const auto [root, degree] = smallest_root(coefficient);
  if (degree == 1) return to_string();
  const std::string logarithm = std::to_string(degree) + "*log(" + root.to_string() + ")";
  return exponent.is_zero() ? logarithm : exponent.to_string() + " + " + logarithm;
}

double Level::approx() const {
  return exponential_ ? std::log(exponential_->approx()) : std::numeric_limits<double>::infinity();
}

Level operator+(const Level& a, const Level& b) {
  if (a.is_infinite() || b.is_infinite()) return Level::infinite();
  return Level(std::optional<Number>(*a.exponential_ * *b.exponential_));
}

Level Level::times(std::int64_t count) const {
  if (count == 0) return Level();
  return exponential_ ? Level(std::optional<Number>(exponential_->pow(count))) : infinite();
}

std::strong_ordering operator<=>(const Level& a, const Level& b) {
  if (a.is_infinite() || b.is_infinite()) return a.is_infinite() <=> b.is_infinite();
  return *a.exponential_ <=> *b.exponential_;
}

}  // namespace oddsbound::exact
