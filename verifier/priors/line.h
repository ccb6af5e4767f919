// Quotients of two conditional probabilities, and the largest quotient on the line between two priors.
//
// Why lines: over a polytope of priors the largest quotient is attained, or approached, on an edge. Fix the
// quotient of the two masses; then the objective is linear-fractional on the section of the polytope by a
// hyperplane, so it is largest at a vertex of the section, which lies on an edge of the polytope. Other sets
// reduce to lines as well. On a line the quotient is one quadratic over another, so its maximum is a surd or
// infinite.
#pragma once

#include <compare>
#include <optional>

#include "verifier/exact/surd.h"

namespace oddsbound::priors {

struct Ratio {
  Surd value;
  bool infinite = false;

  static Ratio infinity() { return {Surd(), true}; }
  /// Returns numerator / denominator of non-negative numbers. 0/0 counts as 0, p/0 as infinite.
  static Ratio of(const Number& numerator, const Number& denominator) {
    if (numerator.is_zero()) return {};
    return denominator.is_zero() ? infinity() : Ratio{numerator / denominator};
  }
  friend std::strong_ordering operator<=>(const Ratio& a, const Ratio& b) {
    return a.infinite || b.infinite ? a.infinite <=> b.infinite : a.value <=> b.value;
  }
  friend bool operator==(const Ratio& a, const Ratio& b) { return (a <=> b) == std::strong_ordering::equal; }
};

// The largest quotient on a line.

/// For a prior, not necessarily normalized: the mass of each of two labels, and the joint mass of an output with
/// each. All are non-negative; a label without mass has joint mass 0.
struct JointMasses {
  Number p_from, mass_from;
  Number p_to, mass_to;
};

/// Returns (1 - w) begin + w end.
JointMasses between(const JointMasses& begin, const JointMasses& end, const Number& w);
/// Returns (p_from / mass_from) / (p_to / mass_to); nullopt if a mass is 0.
std::optional<Ratio> ratio_of(const JointMasses& forms);

/// The maximum on a line and its position: 0 is the begin, 1 the end.
struct LargestOnLine {
  Ratio ratio;
  Surd at;
  bool attained = true;  // false: approached as w tends to `at`, which is an end
};

/// Returns the largest quotient on the line; nullopt if no prior on it gives mass to both labels.
std::optional<LargestOnLine> largest_on_line(const JointMasses& begin, const JointMasses& end);

/// Returns true only if no quotient on the line reaches `known`. Uses doubles, with a margin for rounding.
bool is_certainly_below(const JointMasses& begin, const JointMasses& end, const Ratio& known);

/// Returns true if `other` has the larger ratio, or an equal one that is attained while that of `than` is not.
bool is_better(const LargestOnLine& other, const LargestOnLine& than);

/// Returns 1 + 10^-6. If no rational prior attains the largest quotient, the shown prior is below it by at most
/// this factor.
Number shown_within();
/// Returns 2^40. If the quotient is infinite but not attained, the shown prior has at least this quotient.
Number shown_of_infinite();
/// Returns a weight in K. Its prior attains the largest quotient if a prior with a weight in K does. Otherwise its
/// quotient is below the largest by at most shown_within(), or above shown_of_infinite() if the largest is
/// infinite. Throws LimitError if the weight needs more than 4,000 bits.
Number weight_that_shows(const LargestOnLine& largest, const JointMasses& begin, const JointMasses& end);

}  // namespace oddsbound::priors
