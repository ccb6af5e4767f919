// What a sample says of the quotient of two means: bets against it.
//
// From unknown distributions p and q come n and m independent draws; f and g are functions of a draw. Whoever bets that
// the mean of f is above mu, a share b of what he has on each draw, has prod (1 - b + b (F - f) / (F - mu)) times as
// much in the end, F the largest value of f; if mu is the mean, 1 on average. Averaged over b by the arcsine law this
// is at least 1/r of the best b's, r(n) = 4^n / C(2n, n) (Krichevsky and Trofimov). So is a bet that the mean of g is
// below some number. Their product is r(n) r(m) / alpha with probability at most alpha (Markov), whatever p and q are.
#pragma once

#include <cstdint>
#include <vector>

#include "verifier/priors/line.h"

namespace oddsbound::priors {

/// Bits after the point of what doubles propose: so few that what they round in their own way elsewhere hardly ever
/// shows.
constexpr unsigned kCoarse = 30;

/// The different values of a function of draws, those that no draw had among them, and how many draws had them.
struct Tally {
  std::vector<Number> values;  // not negative
  std::vector<std::uint64_t> counts;
  std::uint64_t draws = 0;

  /// Places of the largest and the smallest.
  std::size_t largest() const;
  std::size_t smallest() const;
};

/// At most this quotient, or the bets made a fortune: with A = shift - slope f and B = n + m - shift + slope ratio g,
/// none of which is negative, sum log(A / n) over the first draws + sum log(B / m) over the second >= log(r(n) r(m) /
/// alpha).
struct QuotientBound {
  Ratio ratio;
  Number slope, shift;  // 0: no distributions at all have more
};
/// Distributions against which the bets make no fortune: of the sample's draws each counts as so many now, and the
/// largest value of f, the smallest of g, as so many draws more. What their quotient is comes near the bound.
struct NearMeans {
  std::vector<Number> from_weights, to_weights;  // per value: of each draw that had it
  Number from_more, to_more;                     // of no draw
};

/// log(r(n) r(m) / alpha): what bets on so many draws must come to. Not too small.
double fortune_above(std::uint64_t draws_from, std::uint64_t draws_to, const Number& alpha);

/// Bounds mean of f / mean of g with confidence 1 - alpha. 0 < alpha < 1.
class QuotientOfMeans {
 public:
  QuotientOfMeans(Tally from, Tally to, const Number& alpha);
  const QuotientBound& bound() const { return bound_; }
  NearMeans near() const;

 private:
  bool is_proven(const QuotientBound& bound) const;
  bool is_allowed(const NearMeans& near) const;
  NearMeans at_fortune(double fortune) const;

  Tally from_, to_;
  Number alpha_;
  QuotientBound bound_;
};

}  // namespace oddsbound::priors
