// Levels times a distance: unit * sqrt(square), as the levels of metric privacy under Euclidean distances are. Most are
// levels (oddsbound/level.h); the others are only compared with losses.
#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/namespaces.h"
#include "verifier/exact/level.h"
#include "verifier/exact/number.h"

namespace oddsbound::exact {

class Ball;
struct ExpressionValue;

class ScaledLevel {
 public:
  ScaledLevel() = default;
  ScaledLevel(Level level) : unit_(std::move(level)) {}  // NOLINT: a level is one
  /// Returns unit * sqrt(square) for a rational square >= 0; a level if its exponential is known to be in K. An
  /// infinite unit gives an infinite level. The unit has no square root.
  static ScaledLevel of(const Level& unit, const Number& square);
  /// Reads what to_string() writes. Throws std::runtime_error.
  static ScaledLevel parse(std::string_view text);

  /// Returns the level, or null if there is a root that is not known to be one.
  const Level* level() const { return square_.is_one() ? &unit_ : nullptr; }
  bool is_infinite() const { return unit_.is_infinite(); }
  bool is_zero() const { return unit_.is_zero(); }
  const Level& unit() const { return unit_; }
  const Number& square() const { return square_; }
  /// Returns the level as text: "log(3)", "2*sqrt(5)", "sqrt(5) * log(2)".
  std::string to_string() const;
  double approx() const;
  /// Encloses a finite level at a working precision of `bits` bits.
  void enclose(Ball& value, long bits) const;

  /// By form. Levels of different forms are hardly ever equal, but may be.
  friend bool operator==(const ScaledLevel& a, const ScaledLevel& b) {
    return a.unit_ == b.unit_ && a.square_ == b.square_;
  }

 private:
  ScaledLevel(Level unit, Number square) : unit_(std::move(unit)), square_(std::move(square)) {}

  Level unit_;
  Number square_{1};
};

/// Returns a value of the grammar as a level, which may be c * sqrt(n) with rational c and n. Throws NumberError like
/// as_level.
ScaledLevel as_scaled_level(const ExpressionValue& value);

/// Encloses the logarithm of a positive number without symbols.
void enclose_log(Ball& value, const Number& number, long bits);

/// The working precision, in bits, up to which enclosures are refined where no exact comparison is known.
inline constexpr long kMostComparedBits = 10'000;

/// Returns the order of log(high / low) and a finite level, for positive numbers without symbols. Exact if the level is
/// a Level, or a rational power of one. Otherwise nullopt if both agree to kMostComparedBits.
///
/// An irrational root is never equal to the loss where the loss and the unit are c * exp(r) with rational c and r, by
/// Gelfond-Schneider and Baker; so refinement ends there, except at the limit.
std::optional<std::strong_ordering> compare_loss(const Number& high, const Number& low, const ScaledLevel& level);

/// The same for a level in place of the loss.
std::optional<std::strong_ordering> compare(const Level& level, const ScaledLevel& bound);

}  // namespace oddsbound::exact
