#include "verifier/exact/level.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "base/budget.h"
#include "base/errors.h"
#include "verifier/exact/interval.h"
#include "verifier/exact/number_detail.h"

namespace oddsbound {

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
  // A surd that is not recognized as a number may still equal 1. No enclosure separates its logarithm from 0.
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
  const double near = std::log(surd() == nullptr ? exponential().approx() : surd()->approx());
  if (std::isfinite(near) || (surd() == nullptr && exponential().has_symbols())) return near;
  // The exponential is beyond the doubles; its logarithm is not.
  constexpr slong kBits = 80;
  exact::Ball value;
  exact::enclose_surd(value.get(), exponential_as_surd(), kBits);
  arb_log(value.get(), value.get(), kBits);
  return exact::near_double(value.get());
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

}  // namespace oddsbound

namespace oddsbound::exact {

namespace {

struct Power {
  Integer base;  // > 1
  Rational exponent;
};

// A product of powers of pairwise coprime integers.
class CoprimePowers {
 public:
  // Factor refinement: an integer that shares a factor g with a base is split into g and the rest, and so is the
  // base. Terminates: each split divides the product of all bases and pending integers by g > 1.
  void multiply(const Integer& integer, const Rational& exponent) {
    std::vector<Power> waiting{{integer, exponent}};
    while (!waiting.empty()) {
      const Power next = std::move(waiting.back());
      waiting.pop_back();
      if (next.base == 1) continue;
      const auto shared = std::find_if(powers_.begin(), powers_.end(), [&](const Power& own) {
        if (Budget* budget = Budget::current()) budget->check();
        return gcd(own.base, next.base) != 1;
      });
      if (shared == powers_.end()) {
        powers_.push_back(next);
        continue;
      }
      const Power own = std::move(*shared);
      powers_.erase(shared);
      const Integer factor = gcd(own.base, next.base);
      waiting.push_back({factor, own.exponent + next.exponent});
      waiting.push_back({own.base / factor, own.exponent});
      waiting.push_back({next.base / factor, next.exponent});
    }
  }

  const std::vector<Power>& powers() const { return powers_; }

 private:
  std::vector<Power> powers_;
};

// Returns base^exponent if it is rational.
std::optional<Rational> rational_value(const Power& power) {
  const Integer degree = denominator(power.exponent);
  Integer root = power.base;
  if (degree != 1) {
    // If the degree exceeds the number of bits, the root lies strictly between 1 and 2.
    if (degree > bits_of(power.base)) return std::nullopt;
    const auto small = static_cast<unsigned long>(degree);
    if (mpz_root(root.backend().data(), power.base.backend().data(), small) == 0) return std::nullopt;
  }
  constexpr std::size_t kMostBits = 1 << 22;
  const Integer times = abs(numerator(power.exponent));
  if (times * bits_of(root) > kMostBits) throw LimitError("the exact level is too long to be written");
  const Integer value = boost::multiprecision::pow(root, static_cast<unsigned>(times));
  return power.exponent < 0 ? Rational(1, value) : Rational(value);
}

}  // namespace

std::vector<WeightedLog> collected(std::vector<WeightedLog> sum) {
  std::unordered_map<Number, std::size_t, NumberHash> place;
  std::vector<WeightedLog> once;
  for (WeightedLog& term : sum) {
    if (term.argument.is_one()) continue;
    const auto [found, added] = place.try_emplace(term.argument, once.size());
    if (added) {
      once.push_back(std::move(term));
    } else {
      once[found->second].weight += term.weight;
    }
  }
  std::erase_if(once, [](const WeightedLog& term) { return term.weight.is_zero(); });
  return once;
}

bool is_rational(const std::vector<WeightedLog>& sum) {
  return std::all_of(sum.begin(), sum.end(),
                     [](const WeightedLog& term) { return term.weight.is_rational() && term.argument.is_rational(); });
}

std::optional<Level> level_of_sum(const std::vector<WeightedLog>& sum) {
  CoprimePowers powers;
  for (const WeightedLog& term : sum) {
    const Rational weight = rational_of(term.weight), argument = rational_of(term.argument);
    powers.multiply(numerator(argument), weight);
    powers.multiply(denominator(argument), -weight);
  }
  Rational product = 1;
  for (const Power& power : powers.powers()) {
    if (power.exponent == 0) continue;
    const std::optional<Rational> value = rational_value(power);
    if (!value) return std::nullopt;
    product *= *value;
  }
  if (product < 1) return std::nullopt;
  return Level::of_exponential(make_number(product));
}

}  // namespace oddsbound::exact
