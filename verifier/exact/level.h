// A privacy level in nats, held as its exponential: epsilon = log(v), v >= 1 in K or with one square root, or infinity.
#pragma once

#include <compare>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "verifier/exact/surd.h"

namespace oddsbound::exact {

class Level {
 public:
  /// Level 0: no information.
  Level() : exponential_(Number(1)) {}
  /// log(exponential). Throws NumberError if the exponential is below 1.
  static Level of_exponential(Number exponential);
  static Level of_surd(const Surd& exponential);
  static Level infinite() { return Level(std::monostate()); }

  bool is_infinite() const { return std::holds_alternative<std::monostate>(exponential_); }
  bool is_zero() const;
  /// exp(level) if that has a root in it and is not known to be a number of K, else null.
  const Surd* surd() const;
  /// exp(level). The level must be finite and have no surd().
  const Number& exponential() const { return std::get<Number>(exponential_); }
  /// exp(level), with a root or without. The level must be finite.
  Surd exponential_as_surd() const;

  /// The level in the grammar of levels: "log(3)", "1/2", "1 + log(2)", "log(1 + sqrt(2))", "inf".
  std::string to_string() const;
  /// The same level with the rational under its logarithm as a power of the smallest root: "100*log(3)", "1/2 +
  /// 3*log(2)". to_string() where there is none, or where looking for one would take long.
  std::string root_text() const;
  /// Characters of the exponential as text, or somewhat more; costs little.
  std::size_t text_size() const;
  double approx() const;

  /// Throws NumberError for different roots.
  friend Level operator+(const Level& a, const Level& b);
  Level times(std::int64_t count) const;
  friend bool operator==(const Level& a, const Level& b);
  friend std::strong_ordering operator<=>(const Level& a, const Level& b);

 private:
  using Exponential = std::variant<std::monostate, Number, std::shared_ptr<const Surd>>;  // the first: infinite
  explicit Level(Exponential exponential) : exponential_(std::move(exponential)) {}
  Exponential exponential_;
};

// Sums of multiples of logarithms, as entropies are.

/// A multiple of a logarithm of a positive number.
struct WeightedLog {
  Number weight;
  Number argument;
};

/// The same sum with every argument once, and without terms that are 0. Empty means that the sum is 0.
std::vector<WeightedLog> collected(std::vector<WeightedLog> sum);

/// Whether all weights and arguments are rational.
bool is_rational(const std::vector<WeightedLog>& sum);

/// The level that a sum of rational multiples of logarithms of rationals is, where it is one: exp of the sum is in K.
/// None where it is not (or the sum is negative): then it differs from every level.
///
/// Numerators and denominators are split into integers that have no factor in common. Logarithms of such are linearly
/// independent over the rationals, so that exp(sum) is a rational if and only if each integer, to the power that it
/// comes to, is one. Throws LimitError past the budget of the thread, or where the level is too long to be written.
std::optional<Level> level_of_sum(const std::vector<WeightedLog>& sum);

}  // namespace oddsbound::exact
