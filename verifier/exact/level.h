// A privacy level in nats, held as its exponential: epsilon = log(v), v >= 1 in K or with one square root, or infinity.
#pragma once

#include <compare>
#include <memory>
#include <string>
#include <variant>

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

}  // namespace oddsbound::exact
