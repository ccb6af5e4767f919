// Loss distributions: of two hypotheses P and Q about an output, the ratios P(y) / Q(y) with the mass that P gives
// them.
//
// The ratio is a sufficient statistic: outputs of one ratio are merged, and every divergence between P and Q is a
// function of what is left (Neyman and Pearson 1933). Independent runs multiply ratios and masses, so the distribution
// of n runs has as many atoms as there are products of n ratios, not as many as outputs: n + 1 in place of 2^n for
// randomized response. Everything here is exact.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.h"
#include "verifier/exact/number.h"

namespace oddsbound::engine {

class LossDistribution {
 public:
  /// Outputs with P(y) / Q(y) = ratio, both positive, and their mass under P. Under Q it is mass / ratio.
  struct Atom {
    Number ratio;
    Number mass;
  };
  /// The masses under P and Q of the outputs whose ratio exceeds a bound.
  struct Event {
    Number p, q;
  };

  /// The distribution of equal hypotheses: one atom of ratio 1.
  LossDistribution() : atoms_{{Number(1), Number(1)}} {}
  /// Makes the distribution of two rows: an entry for each output, without symbols. Each row sums to 1.
  static LossDistribution of(std::span<const Number> p, std::span<const Number> q);
  /// Makes the distribution of some pair of hypotheses whose hockey-stick divergence is the larger one of `a` and `b`
  /// at every factor >= 0. It dominates both.
  static LossDistribution larger_of(const LossDistribution& a, const LossDistribution& b, Budget& budget);

  /// The atoms, by decreasing ratio; no two have the same ratio.
  const std::vector<Atom>& atoms() const { return atoms_; }
  /// The mass under P of the outputs that are impossible under Q.
  const Number& infinite() const { return infinite_; }
  bool is_trivial() const { return infinite_.is_zero() && atoms_.size() == 1 && atoms_[0].ratio.is_one(); }

  /// The distribution of two independent outputs. Throws LimitError past the budget.
  LossDistribution times(const LossDistribution& other, Budget& budget) const;
  /// The distribution of n >= 1 independent outputs. Throws LimitError past the budget.
  LossDistribution power(std::uint64_t n, Budget& budget) const;
  /// Returns a number > 1 of which every ratio is a power, if one is found; nullopt if all ratios are 1.
  std::optional<Number> common_base() const;
  /// Returns an upper bound of the number of atoms of `power(n)`.
  double atoms_of_power(std::uint64_t n) const;
  /// True if the numbers of `power(n)` are short enough to compute with. Quotients in exp have n terms of n digits.
  bool has_short_power(std::uint64_t n) const;

  /// The event P(y) > factor Q(y), for factor >= 0. Among all events it has the largest P - factor Q (Neyman and
  /// Pearson): the hockey-stick divergence is p - factor q.
  Event more_likely_than(const Number& factor) const;
  /// The hockey-stick divergence for factor >= 0.
  Number excess(const Number& factor) const;

  friend bool operator==(const LossDistribution& a, const LossDistribution& b);

 private:
  LossDistribution(std::vector<Atom> atoms, Number infinite);

  std::vector<Atom> atoms_;
  Number infinite_;
};

/// Independent outputs: `times` of them with these losses.
struct IndependentLosses {
  std::shared_ptr<const LossDistribution> losses;
  std::uint64_t times = 1;
};
using LossProduct = std::vector<IndependentLosses>;

/// Returns the number of which a and b are powers with small exponents, for a, b > 1; nullopt if there is none.
std::optional<Number> common_base(const Number& a, const Number& b);

/// Returns the distribution of all outputs; nullopt if some product of two distributions has more than `most` pairs
/// of atoms. Throws LimitError past the budget.
std::optional<LossDistribution> composed(const LossProduct& product, double most, Budget& budget);

/// Returns true if the hockey-stick divergence of `a` is at least that of `b` for every factor >= 0. Then the same
/// holds for the distributions of `a` and `b` with any third one: delta(a x c, E) is the sum over atoms (r, p) of c of
/// p delta(a, E / r). The divergences are convex and piecewise linear in the factor, so comparing them at the ratios
/// of both, and their limits, suffices.
bool dominates(const LossDistribution& a, const LossDistribution& b, Budget& budget);

}  // namespace oddsbound::engine
