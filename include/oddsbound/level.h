// Privacy levels in nats, stored by their exponentials: epsilon = log(v) with v >= 1 in K or with one square root,
// or infinity.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "oddsbound/number.h"

namespace oddsbound {

class Surd;  // a number with one square root

class Level {
 public:
  /// Level 0: no information.
  Level() : exponential_(Number(1)) {}
  /// Returns log(exponential). Throws NumberError if the exponential is below 1.
  static Level of_exponential(Number exponential);
  static Level of_surd(const Surd& exponential);
  static Level infinite() { return Level(std::monostate()); }

  bool is_infinite() const { return std::holds_alternative<std::monostate>(exponential_); }
  bool is_zero() const;
  /// Returns exp(level) if it has a root and is not known to be in K, otherwise null.
  const Surd* surd() const;
  /// Returns exp(level). The level must be finite and have no surd().
  const Number& exponential() const { return std::get<Number>(exponential_); }
  /// Returns exp(level), with a root or without. The level must be finite.
  Surd exponential_as_surd() const;

  /// Returns the level in the grammar of levels: "log(3)", "1/2", "1 + log(2)", "log(1 + sqrt(2))", "inf".
  std::string to_string() const;
  /// Returns the level with the rational under its logarithm as a power of its smallest root: "100*log(3)", "1/2 +
  /// 3*log(2)". Same as to_string() if there is no such power, or if the rational has more than 8,192 bits.
  std::string root_text() const;
  /// Returns an upper bound on the characters of the exponential's text. Cheap.
  std::size_t text_size() const;
  double approx() const;

  /// Throws NumberError for two different roots.
  friend Level operator+(const Level& a, const Level& b);
  Level times(std::int64_t count) const;
  friend bool operator==(const Level& a, const Level& b);
  friend std::strong_ordering operator<=>(const Level& a, const Level& b);

 private:
  using Exponential = std::variant<std::monostate, Number, std::shared_ptr<const Surd>>;  // monostate: infinite
  explicit Level(Exponential exponential) : exponential_(std::move(exponential)) {}
  Exponential exponential_;
};

/// Returns the level of a text in the grammar of levels: "log(3)", "1/2 + log(2)", "inf". Throws std::runtime_error.
Level parse_level(std::string_view text);

}  // namespace oddsbound
