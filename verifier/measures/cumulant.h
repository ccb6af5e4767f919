// How concentrated the loss between two distributions P and Q is: rho = sup over orders a > 1 of D_a(P || Q) / a, where
// D_a is the Renyi divergence of order a (Bun and Steinke, Concentrated Differential Privacy, 2016, Definition 1.1). It
// is seldom a number that can be written, and is enclosed: by L(a) = log sum P^a Q^(1 - a), the cumulant of the loss,
// of which D_a = L(a) / (a - 1). What holds of L, each with its reason where it is used:
//
//   - D_a / a -> KL(P || Q) as a -> 1, so that rho is at least that;
//   - D_a <= D_inf, so that no order a >= D_inf / r says more than r;
//   - L is convex, so that between two orders it lies below its chord;
//   - L'' is a variance of the loss, so that rho <= max(KL, w^2 / 8) for losses in a range of width w.
//
// Orders are written as how far they lie beyond 1, exactly, in a double.
#pragma once

#include <cstdint>
#include <span>

#include "base/budget.h"
#include "verifier/exact/number.h"

namespace oddsbound::measures {

/// Outputs that have the same two probabilities, and how many.
struct PairedMass {
  Number p, q;
  std::int64_t count = 1;
};

/// Doubles, rounded outward. at_least is D_a / a of the order a = 1 + beyond (of KL, for 0).
struct RhoBounds {
  double at_least = 0;
  double at_most = 0;
  double beyond = 0;
};

/// How far a search goes on.
struct RhoGoal {
  double enough = 0;                             // what lies below is not told more exactly
  double tolerance = 0x1p-30;                    // as a part of the larger of `enough` and what is found
  std::uint64_t most_terms = ~std::uint64_t{0};  // logarithms and exponentials that are computed, at most
};

/// rho lies between the bounds; they are as near as the goal says, unless it ran out of terms. terms: spent, are added.
///
/// masses: of all outputs, without symbols; each p sums to 1, each q too, and q > 0 where p > 0. Equal distributions
/// have 0. Throws LimitError past the budget.
RhoBounds bounds_of_rho(std::span<const PairedMass> masses, const RhoGoal& goal, std::uint64_t& terms, Budget& budget);

/// D_a / a, enclosed.
RhoBounds rho_at(std::span<const PairedMass> masses, double beyond, Budget& budget);

/// The largest D_a / a of all orders from 1 + from to 1 + to, from above: by the chord. from < to; 0 stands for all
/// orders near 1.
double rho_between(std::span<const PairedMass> masses, double from, double to, Budget& budget);

}  // namespace oddsbound::measures
