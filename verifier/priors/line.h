// What the quotient of two probabilities is at most over a set of priors: a surd, or infinite.
#pragma once

#include <compare>
#include <optional>

#include "verifier/exact/surd.h"

namespace oddsbound::priors {

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

// The largest quotient of two conditional probabilities on the line between two priors.
//
// Over a polytope of priors the largest quotient is attained, or approached, on an edge: fix the quotient of the two
// masses; then what is largest is linear-fractional on a section of the polytope by a hyperplane, so largest at a
// vertex of it, which lies on an edge of the polytope. Other sets come down to lines as well.

/// Of a prior, which need not be normalized: the mass of each of two labels, and the probability of an output with it.
/// No part is negative, and what has no mass has no probability.
struct JointMasses {
  Number p_from, mass_from;
  Number p_to, mass_to;
};

/// (1 - w) begin + w end.
JointMasses between(const JointMasses& begin, const JointMasses& end, const Number& w);
/// (p_from / mass_from) / (p_to / mass_to); none if a mass is 0.
std::optional<Ratio> ratio_of(const JointMasses& forms);

/// Where on a line the quotient is largest: 0 is its begin, 1 its end.
struct LargestOnLine {
  Ratio ratio;
  Surd at;
  bool attained = true;  // else it is approached when w goes to `at`, an end
};

/// The largest quotient on the line; none if no prior on it has both masses.
std::optional<LargestOnLine> largest_on_line(const JointMasses& begin, const JointMasses& end);

/// True: no quotient on the line reaches that one. False: some may. In doubles, with room for their rounding.
bool is_certainly_below(const JointMasses& begin, const JointMasses& end, const Ratio& known);

/// The larger of two, the first of equals; of those one that is attained.
bool is_better(const LargestOnLine& other, const LargestOnLine& than);

/// How far below what is largest a prior may lie that shows it, where no rational one attains it: by this factor.
Number shown_within();
/// What a prior shows at least where the quotient is infinite and none attains that: 2^40.
Number shown_of_infinite();
/// A weight in K whose prior has the largest quotient if one attains it, else one below it by shown_within() at most;
/// of one that is infinite and not attained, a quotient above shown_of_infinite().
Number weight_that_shows(const LargestOnLine& largest, const JointMasses& begin, const JointMasses& end);

}  // namespace oddsbound::priors
