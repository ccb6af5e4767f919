// A privacy level in nats, held as its exponential: epsilon = log(v), v >= 1 in K, or infinity.
#pragma once

#include <compare>
#include <optional>
#include <string>

#include "verifier/exact/surd.h"

namespace oddsbound::exact {

class Level {
 public:
  /// Level 0: no information.
  Level() : exponential_(Number(1)) {}
  /// log(exponential). Throws NumberError if the exponential is below 1.
  static Level of_exponential(Number exponential);
  /// The same of a surd.
  static Level of_surd(const Surd& surd) { return of_exponential(surd.plain()); }
  static Level infinite() { return Level(std::nullopt); }

  bool is_infinite() const { return !exponential_; }
  bool is_zero() const { return exponential_ && exponential_->is_one(); }
  /// exp(level). The level must be finite.
  const Number& exponential() const { return *exponential_; }

  /// The level in the grammar of levels: "log(3)", "1/2", "1 + log(2)", "inf".
  std::string to_string() const;
  /// The same level with the rational under its logarithm as a power of the smallest root: "100*log(3)", "1/2 +
  /// 3*log(2)". to_string() where there is none, or where looking for one would take long.
  std::string root_text() const;
  double approx() const;

  friend Level operator+(const Level& a, const Level& b);
  Level times(std::int64_t count) const;
  friend bool operator==(const Level& a, const Level& b) = default;
  friend std::strong_ordering operator<=>(const Level& a, const Level& b);

 private:
  explicit Level(std::optional<Number> exponential) : exponential_(std::move(exponential)) {}
  std::optional<Number> exponential_;
};

}  // namespace oddsbound::exact
