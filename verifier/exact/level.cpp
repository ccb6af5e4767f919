#include "verifier/exact/level.h"

#include <cmath>
#include <limits>

#include "base/errors.h"
#include "verifier/exact/rational_power.h"

namespace oddsbound::exact {

namespace {

const char* const kNegativeLevel = "a privacy level must be at least 0";

}  // namespace

Level Level::of_exponential(Number exponential) {
  if (exponential < Number(1)) throw NumberError(kNegativeLevel);
  return Level(std::move(exponential));
}

Level Level::of_surd(const Surd& exponential) {
  if (exponential.is_number()) return of_exponential(exponential.plain());
  const std::strong_ordering order = exponential <=> Surd(Number(1));
  if (order < 0) throw NumberError(kNegativeLevel);
  // What is not known to be a number may still be this one, whose logarithm no enclosure tells from 0.
  return order == 0 ? Level() : Level(std::make_shared<const Surd>(exponential));
}

bool Level::is_zero() const {
  const Number* number = std::get_if<Number>(&exponential_);
  return number != nullptr && number->is_one();
}

const Surd* Level::surd() const {
  const auto* surd = std::get_if<std::shared_ptr<const Surd>>(&exponential_);
  return surd == nullptr ? nullptr : surd->get();
}

Surd Level::exponential_as_surd() const {
  const Surd* own = surd();
  return own == nullptr ? Surd(exponential()) : *own;
}

std::string Level::to_string() const {
  if (is_infinite()) return "inf";
  const Surd whole = exponential_as_surd();
  Surd coefficient;
  Number exponent;
  if (!whole.is_monomial(coefficient, exponent) || coefficient.sign() < 0) return "log(" + whole.to_string() + ")";
  if (coefficient.is_one()) return exponent.to_string();
  const std::string logarithm = "log(" + coefficient.to_string() + ")";
  return exponent.is_zero() ? logarithm : exponent.to_string() + " + " + logarithm;
}

std::string Level::root_text() const {
  const Number* number = std::get_if<Number>(&exponential_);
  Number coefficient, exponent;
  if (number == nullptr || !number->is_monomial(coefficient, exponent) || coefficient.sign() < 0) return to_string();
  const auto [root, degree] = smallest_root(coefficient);
  if (degree == 1) return to_string();
  const std::string logarithm = std::to_string(degree) + "*log(" + root.to_string() + ")";
  return exponent.is_zero() ? logarithm : exponent.to_string() + " + " + logarithm;
}

std::size_t Level::text_size() const {
  if (is_infinite()) return 0;
  return surd() == nullptr ? exponential().text_size() : surd()->text_size();
}

double Level::approx() const {
  if (is_infinite()) return std::numeric_limits<double>::infinity();
  return std::log(surd() == nullptr ? exponential().approx() : surd()->approx());
}

Level operator+(const Level& a, const Level& b) {
  if (a.is_infinite() || b.is_infinite()) return Level::infinite();
  if (a.surd() == nullptr && b.surd() == nullptr) return Level(a.exponential() * b.exponential());
  return Level::of_surd(a.exponential_as_surd() * b.exponential_as_surd());
}

Level Level::times(std::int64_t count) const {
  if (count == 0) return Level();
  if (is_infinite()) return infinite();
  return surd() == nullptr ? Level(exponential().pow(count)) : of_surd(surd()->pow(count));
}

bool operator==(const Level& a, const Level& b) {
  if (a.surd() == nullptr && b.surd() == nullptr) return a.exponential_ == b.exponential_;
  return (a <=> b) == std::strong_ordering::equal;
}

std::strong_ordering operator<=>(const Level& a, const Level& b) {
  if (a.is_infinite() || b.is_infinite()) return a.is_infinite() <=> b.is_infinite();
  if (a.surd() == nullptr && b.surd() == nullptr) return a.exponential() <=> b.exponential();
  return a.exponential_as_surd() <=> b.exponential_as_surd();
}

}  // namespace oddsbound::exact
