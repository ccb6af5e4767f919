// The largest quotient of two conditional probabilities on the line between two priors.
//
// Over a polytope of priors the largest quotient is attained, or approached, on an edge: fix the quotient of the two
// masses; then what is largest is linear-fractional on a section of the polytope by a hyperplane, so largest at a
// vertex of it, which lies on an edge of the polytope. Other sets come down to lines as well.
#pragma once

#include <optional>

#include "verifier/sets/ratio.h"

namespace oddsbound::sets {

/// Of a prior, which need not be normalized: the mass of each of two labels, and the probability of an output with it.
/// No part is negative, and what has no mass has no probability.
struct Forms {
  Number p_from, mass_from;
  Number p_to, mass_to;
};

/// (1 - w) begin + w end.
Forms between(const Forms& begin, const Forms& end, const Number& w);
/// (p_from / mass_from) / (p_to / mass_to); none if a mass is 0.
std::optional<Ratio> ratio_of(const Forms& forms);

/// Where on a line the quotient is largest: 0 is its begin, 1 its end.
struct LargestOnLine {
  Ratio ratio;
  Surd at;
  bool attained = true;  // else it is approached when w goes to `at`, an end
};

/// The largest quotient on the line; none if no prior on it has both masses.
std::optional<LargestOnLine> largest_on_line(const Forms& begin, const Forms& end);

/// True: no quotient on the line reaches that one. False: some may. In doubles, with room for their rounding.
bool is_certainly_below(const Forms& begin, const Forms& end, const Ratio& known);

/// The larger of two, the first of equals; of those one that is attained.
bool is_better(const LargestOnLine& other, const LargestOnLine& than);

/// How far below what is largest a prior may lie that shows it, where no rational one attains it: by this factor.
Number shown_within();
/// What a prior shows at least where the quotient is infinite and none attains that: 2^40.
Number shown_of_infinite();
/// A weight in K whose prior has the largest quotient if one attains it, else one below it by shown_within() at most;
/// of one that is infinite and not attained, a quotient above shown_of_infinite().
Number weight_that_shows(const LargestOnLine& largest, const Forms& begin, const Forms& end);

}  // namespace oddsbound::sets
