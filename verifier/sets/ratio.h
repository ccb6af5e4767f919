// What the quotient of two probabilities is at most over a set of priors: a surd, or infinite.
#pragma once

#include <compare>

#include "verifier/exact/surd.h"

namespace oddsbound::sets {

struct Ratio {
  Surd value;
  bool infinite = false;

  static Ratio infinity() { return {Surd(), true}; }
  /// numerator / denominator of numbers that are not negative: 0/0 counts as 0, p/0 as infinite.
  static Ratio of(const Number& numerator, const Number& denominator) {
    if (numerator.is_zero()) return {};
    return denominator.is_zero() ? infinity() : Ratio{numerator / denominator};
  }
  friend std::strong_ordering operator<=>(const Ratio& a, const Ratio& b) {
    return a.infinite || b.infinite ? a.infinite <=> b.infinite : a.value <=> b.value;
  }
  friend bool operator==(const Ratio& a, const Ratio& b) { return (a <=> b) == std::strong_ordering::equal; }
};

}  // namespace oddsbound::sets
