// The zCDP parameter of two distributions P and Q: rho = sup over orders a > 1 of D_a(P || Q) / a, where D_a is
// the Renyi divergence of order a (Bun and Steinke, Concentrated Differential Privacy, 2016, Definition 1.1). rho
// rarely has a closed form, so it is enclosed, by branch and bound over orders. The bounds use the cumulant of the
// privacy loss, L(a) = log sum P^a Q^(1 - a), with D_a = L(a) / (a - 1):
//
//   - D_a / a -> KL(P || Q) as a -> 1, so rho >= KL;
//   - D_a <= D_inf, so D_a / a <= r for every order a >= D_inf / r;
//   - L is convex, so between two orders it is below its chord;
//   - L'' is a variance of the loss, so rho <= max(KL, w^2 / 8) if the losses lie in a range of width w.
//
// Independent outputs add their losses, so their cumulants, KL, D_inf and variances add. If the pair of distributions
// of each component of a product is chosen freely, the cumulant of the worst choice is a sum of maxima. It is convex as
// well, and 0 at order 1, so all bounds above hold for it.
//
// An order a is stored as `beyond` = a - 1, exactly, in a double.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "verifier/exact/number.h"

namespace oddsbound::measures {

/// Outputs with the same two probabilities, and their number.
struct PairedMass {
  Number p, q;
  std::int64_t count = 1;
};

/// Doubles, rounded outward. at_least is a lower bound of D_a / a at the order a = 1 + beyond (of KL for beyond =
/// 0).
struct RhoBounds {
  double at_least = 0;
  double at_most = 0;
  double beyond = 0;
};

/// The accuracy of a search.
struct RhoGoal {
  double enough = 0;                             // values below this need no further accuracy
  double tolerance = 0x1p-30;                    // relative to the larger of `enough` and the value found
  std::uint64_t most_terms = ~std::uint64_t{0};  // maximum number of logarithms and exponentials computed
};

class Cumulant;

/// Numbers of independent outputs, by the index of their pair of distributions.
using IndependentOutputs = std::vector<std::pair<std::size_t, std::uint64_t>>;
/// The choices of each independent component: [component][choice].
using ComponentChoices = std::vector<std::vector<IndependentOutputs>>;

/// Pairs of distributions, to be combined as independent outputs.
class IndependentPairs {
 public:
  /// distributions: as for bounds_of_rho. Throws LimitError if the budget is exceeded.
  IndependentPairs(const std::vector<std::vector<PairedMass>>& distributions, Budget& budget);
  ~IndependentPairs();

  /// Returns bounds of the largest rho over one choice in each component, as bounds_of_rho does.
  RhoBounds bounds(const ComponentChoices& components, const RhoGoal& goal, std::uint64_t& terms, Budget& budget) const;
  /// Returns an enclosure of the largest D_a / a over one choice in each component, at the order a = 1 + beyond > 1.
  RhoBounds at(const ComponentChoices& components, double beyond) const;
  /// Returns the choice in each component that attains RhoBounds::at_least at the order 1 + beyond.
  std::vector<std::size_t> worst_choices(const ComponentChoices& components, double beyond) const;

 private:
  std::vector<std::unique_ptr<const Cumulant>> cumulants_;  // null: equal distributions
};

/// Returns bounds of rho, as close as the goal demands unless most_terms is reached. Adds the number of terms
/// computed to `terms`.
///
/// masses: all outputs, without symbols. The p sum to 1, and so do the q; q > 0 wherever p > 0. For equal
/// distributions the bounds are 0. Throws LimitError if the budget is exceeded.
RhoBounds bounds_of_rho(std::span<const PairedMass> masses, const RhoGoal& goal, std::uint64_t& terms, Budget& budget);

/// Returns an enclosure of D_a / a at a = 1 + beyond.
RhoBounds rho_at(std::span<const PairedMass> masses, double beyond, Budget& budget);

/// Returns an upper bound of D_a / a over all orders from 1 + from to 1 + to, by the chord. Requires from < to;
/// from = 0 includes all orders near 1.
double rho_between(std::span<const PairedMass> masses, double from, double to, Budget& budget);

}  // namespace oddsbound::measures
