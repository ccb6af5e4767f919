// Sums and comparisons of exact numbers (oddsbound/number.h), and how numbers are stored.
//
// Almost all numbers are rationals whose parts fit a machine word. These are stored inline and cost a few
// nanoseconds. Larger rationals are Boost's mpq_rational; the others are quotients of polynomials in one
// transcendental t = exp(step) (exp_quotient.h). Every value has one representation, so equality is structural and
// decidable. Order is decidable because a number that is not structurally zero is not zero
// (Lindemann-Weierstrass): interval evaluation at growing precision finds its sign. Symbols: symbols.h.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/namespaces.h"
#include "oddsbound/number.h"

namespace oddsbound::exact {

/// Returns the sum of weight * value over the terms, exactly. Faster than adding one by one if denominators
/// differ: rational terms are added as a balanced tree of unreduced fractions and reduced once.
struct WeightedTerm {
  Number weight;
  Number value;
};
Number weighted_sum(std::span<const WeightedTerm> terms);
Number sum_of(std::span<const Number> numbers);

/// The same for values that need not be reduced: numerator / denominator (denominator > 0), or `*other` if that is
/// not null. The fractions are reduced once, at the end.
struct FractionTerm {
  Number weight;
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
  const Number* other = nullptr;
};
Number weighted_sum(std::span<const FractionTerm> terms);

/// Returns the order of a * b and c * d, without forming quotients.
std::strong_ordering compare_products(const Number& a, const Number& b, const Number& c, const Number& d);

struct NumberHash {
  std::size_t operator()(const Number& number) const { return number.hash(); }
};

}  // namespace oddsbound::exact
