// Confidence bound for the quotient of two means, from samples: betting against a larger quotient (test
// martingales).
//
// From unknown distributions p and q come n and m independent draws; f and g are functions of a draw. A bettor who
// bets the fraction b of the wealth on each draw, against the hypothesis that the mean of f is mu or more, ends with
// wealth prod (1 - b + b (F - f) / (F - mu)), where F is the largest value of f. Its expectation is 1 if mu is the
// mean. Averaged over b by the arcsine law, the wealth is at least 1/r(n) times that of the best b, r(n) = 4^n /
// C(2n, n) (Krichevsky and Trofimov). A second bettor bets likewise against the mean of g being some number or
// less. The product of both best wealths reaches r(n) r(m) / alpha with probability at most alpha (Markov), for any
// p and q with these means.
#pragma once

#include <cstdint>
#include <vector>

#include "verifier/priors/line.h"

namespace oddsbound::priors {

/// Bits after the binary point of numbers proposed by doubles. So few that different rounding on other machines
/// hardly ever shows.
constexpr unsigned kCoarse = 30;

/// The distinct values of a function of draws, including those that no draw had, and the number of draws with
/// each.
struct Tally {
  std::vector<Number> values;  // non-negative
  std::vector<std::uint64_t> counts;
  std::uint64_t draws = 0;

  /// Return the index of the largest and of the smallest value.
  std::size_t largest() const;
  std::size_t smallest() const;
};

/// The quotient is at most `ratio`, or the bets reach their threshold. With A = shift - slope f and B = n + m -
/// shift + slope ratio g, all non-negative: sum log(A / n) over the first draws + sum log(B / m) over the second
/// >= log(r(n) r(m) / alpha).
struct QuotientBound {
  Ratio ratio;
  Number slope, shift;  // both 0: no distributions have a larger quotient
};
/// Distributions that the bets do not refute, with a quotient near the bound. Each draw of the sample has a new
/// weight; in addition, the largest value of f and the smallest of g have the weight of some more draws.
struct NearMeans {
  std::vector<Number> from_weights, to_weights;  // per value: the weight of each draw that had it
  Number from_more, to_more;                     // additional weight, of no draw
};

/// Returns an upper bound of log(r(n) r(m) / alpha), the threshold of the log wealth.
double log_threshold_above(std::uint64_t draws_from, std::uint64_t draws_to, const Number& alpha);

/// An upper bound of mean f / mean g with confidence 1 - alpha. Requires 0 < alpha < 1.
class QuotientOfMeans {
 public:
  QuotientOfMeans(Tally from, Tally to, const Number& alpha);
  const QuotientBound& bound() const { return bound_; }
  NearMeans near() const;

 private:
  bool is_proven(const QuotientBound& bound) const;
  bool is_allowed(const NearMeans& near) const;
  NearMeans at_threshold(double log_threshold) const;

  Tally from_, to_;
  Number alpha_;
  QuotientBound bound_;
};

}  // namespace oddsbound::priors
