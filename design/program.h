// The mechanism with the least loss under constraints as a linear program, whose unknowns are the mechanism's
// entries. Limits among all sides of a group take two inequalities per side instead of one per pair: with an
// auxiliary unknown t per output, t <= P(y given side) <= bound t.
#pragma once

#include <optional>

#include "base/budget.h"
#include "design/limits.h"
#include "verifier/linear/basis.h"

namespace oddsbound::designs {

/// The loss of an input, by the outputs that the mechanism gives it.
struct LossTerm {
  std::uint64_t row = 0;       // of the mechanism
  std::vector<Number> losses;  // by output, nonnegative
  Number weight;               // in the sum of all terms
};

/// An upper bound on the sum of some terms.
struct LossConstraint {
  std::vector<LossTerm> charges;
  Number at_most;      // nonnegative
  std::size_t of = 0;  // index of the limit on a loss that it is part of
};

/// The distance of two mechanisms: the largest change of an entry, or the largest total variation between the rows
/// of an input.
enum class Distance { kEntries, kRows };

using Rows = std::vector<std::vector<Number>>;  // P(y given x)

struct DesignProblem {
  std::uint64_t rows = 0, outputs = 0;  // of the mechanism; inputs of sides are rows
  std::vector<LossTerm> charges;
  bool largest = false;  // minimize the largest loss of a term; otherwise the weighted sum
  std::vector<Limit> limits;
  std::vector<Number> bounds;  // by limit: e^level or its approximation
  std::vector<LossConstraint> ceilings{};
  /// By entry (row by row): the index of an entry that it must equal, or its own. Empty: no entries are tied.
  std::vector<std::size_t> orbits{};

  std::size_t orbit(std::uint64_t x, std::uint64_t y) const {
    const std::size_t entry = x * outputs + y;
    return orbits.empty() ? entry : orbits[entry];
  }
};

/// A proof that no mechanism within the limits has a smaller loss. Let weight be the weight of a term; if the
/// largest loss is minimized, these are multipliers that sum to at most 1. For every row x and output y (or for
/// the sum over each orbit of entries)
///   sum over terms of x: weight loss(y) + sum over ceilings: ceilings[c] * (weight loss(y) of its terms at x)
///   + sum over multipliers m of y: m.times (P_from - bound P_to)(x) >= duals[x],
/// and the loss equals
///   sum of all duals
///   - delta times the largest multiplier over outputs, for each pair of a limit with delta
///   - bound delta times the largest sum of multipliers over pairs, for each limit with `together`
///   - ceilings[c] times at_most, for each ceiling.
struct Multiplier {
  std::size_t limit = 0, from = 0, to = 0;  // sides
  std::uint64_t output = 0;
  Number times;
};
struct Proof {
  std::vector<Number> weights, duals;  // by term, and by row
  std::vector<Number> ceilings;        // by ceiling
  std::vector<Multiplier> multipliers;
};

struct Optimum {
  Rows rows;
  Number loss;
  Proof proof;
};

/// Returns the optimum; nullopt if no mechanism within the limits satisfies all ceilings. Throws LimitError past
/// the budget.
std::optional<Optimum> least_loss(const DesignProblem& wanted, Budget& budget);

/// The linear program of a problem: maximize the form, the negative loss, over {x >= 0 : A x = right}.
struct LpInstance {
  linear::Equations equations;
  std::vector<Number> form;
};
LpInstance pose(const DesignProblem& wanted);

/// Returns as loss the least amount by which some ceiling is exceeded by any mechanism within the limits; terms of
/// the objective are ignored. If it is positive, the proof's ceilings and multipliers are a conflict (Farkas).
Optimum least_excess(const DesignProblem& wanted, Budget& budget);

/// Returns the loss of a mechanism.
Number loss_of(const DesignProblem& wanted, const Rows& rows);

/// Whether a mechanism is within the limits, and below all ceilings; exact. bounds: by limit.
bool is_within(const std::vector<Limit>& limits, const std::vector<Number>& bounds, const Rows& rows);
bool is_below(const std::vector<LossConstraint>& ceilings, const Rows& rows);

/// Returns the mechanism within the problem's limits that is nearest to these rows, with the distance as loss.
/// Terms of the objective are ignored, and the proof is not set.
Optimum nearest(const DesignProblem& wanted, const Rows& rows, Distance distance, Budget& budget);

/// Returns the least informative mechanism within the limits and ceilings: it minimizes the sum over outputs of
/// the largest probability over all rows. Such mechanisms have few outputs and few different entries. Terms of the
/// objective are ignored, and the proof is not set.
std::optional<Optimum> plainest(const DesignProblem& wanted, Budget& budget);

/// Returns the least fraction of the uniform mechanism (all outputs equally likely, for all inputs) in a mixture
/// with these rows that is within the limits. Requires limits without delta: each is linear in the fraction and
/// holds at 1.
Number least_share(const DesignProblem& wanted, const Rows& rows);

}  // namespace oddsbound::designs
