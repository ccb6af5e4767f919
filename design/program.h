// The mechanism with the least loss within limits, as a linear program: its entries are the unknowns. Limits hold among
// all sides of a group by two inequalities for each of them, which compare it with a number of the output that lies
// below all of them: t <= P(y given side) <= bound t.
#pragma once

#include <optional>

#include "base/budget.h"
#include "design/limits.h"
#include "verifier/linear/basis.h"

namespace oddsbound::designs {

/// What an input loses by the outputs that the mechanism gives it.
struct LossTerm {
  std::uint64_t row = 0;       // the mechanism's
  std::vector<Number> losses;  // by output, nowhere negative
  Number weight;               // in the sum of all charges
};

/// The charges come to no more than that.
struct LossConstraint {
  std::vector<LossTerm> charges;
  Number at_most;      // not negative
  std::size_t of = 0;  // the limit on a loss that it is part of
};

/// How far a mechanism is from another one: by the largest change of an entry, or by the largest total variation
/// between rows for one input.
enum class Distance { kEntries, kRows };

using Rows = std::vector<std::vector<Number>>;  // P(y given x)

struct DesignProblem {
  std::uint64_t rows = 0, outputs = 0;  // of the mechanism; inputs of sides are rows
  std::vector<LossTerm> charges;
  bool largest = false;  // the largest loss of all charges is to be least; else what they add up to
  std::vector<Limit> limits;
  std::vector<Number> bounds;  // by limit: e^level, or what stands for it
  std::vector<LossConstraint> ceilings{};
  /// By entry (row after row): another one that it is to be equal to, or itself. Empty: each is on its own.
  std::vector<std::size_t> orbits{};

  std::size_t orbit(std::uint64_t x, std::uint64_t y) const {
    const std::size_t entry = x * outputs + y;
    return orbits.empty() ? entry : orbits[entry];
  }
};

/// A proof that no mechanism within the limits has a smaller loss. With what every charge weighs (where the largest
/// loss is wanted: these weights, which add up to 1 at most), for every row x and output y (or the sum over all entries
/// that are to be equal)
///   sum over charges of x: weight loss(y) + sum over ceilings: its number of times its charges' weight loss(y)
///   + sum over multipliers m of y: m.times (P_from - bound P_to)(x) >= price(x),
/// and all prices, less delta times the largest multiplier of each pair of a limit with delta (of all pairs together:
/// bound delta times the largest sum of them for an output), and less what ceilings are at most, so often, add up to
/// the loss.
struct Multiplier {
  std::size_t limit = 0, from = 0, to = 0;  // sides
  std::uint64_t output = 0;
  Number times;
};
struct Proof {
  std::vector<Number> weights, duals;  // by charge, and by row
  std::vector<Number> ceilings;         // by ceiling
  std::vector<Multiplier> multipliers;
};

struct Optimum {
  Rows rows;
  Number loss;
  Proof proof;
};

/// None: no mechanism within the limits keeps below all ceilings. Throws LimitError past the budget.
std::optional<Optimum> least_loss(const DesignProblem& wanted, Budget& budget);

/// The linear program behind it: what is to be largest is the form, the loss' negative, on {x >= 0 : A x = right}.
struct LpInstance {
  linear::Equations equations;
  std::vector<Number> form;
};
LpInstance pose(const DesignProblem& wanted);

/// How far at least some ceiling is exceeded, whatever the mechanism within the limits: the loss; charges do not
/// matter. Where that is above 0 the proof's ceilings and multipliers say what does not go together (Farkas).
Optimum least_excess(const DesignProblem& wanted, Budget& budget);

/// What the charges come to.
Number loss_of(const DesignProblem& wanted, const Rows& rows);

/// Whether a mechanism is within limits, and below all ceilings, exactly. bounds: by limit.
bool is_within(const std::vector<Limit>& limits, const std::vector<Number>& bounds, const Rows& rows);
bool is_below(const std::vector<LossConstraint>& ceilings, const Rows& rows);

/// The mechanism within the limits of what is wanted that is nearest to these rows; its distance is the loss. Charges
/// do not matter, and nothing is said of the proof.
Optimum nearest(const DesignProblem& wanted, const Rows& rows, Distance distance, Budget& budget);

/// The one that tells least among those within the limits and below the ceilings: for which the largest probabilities
/// of each output, over all rows, add up to least. Such mechanisms have few outputs and few different entries. Charges
/// do not matter, and nothing is said of the proof.
std::optional<Optimum> plainest(const DesignProblem& wanted, Budget& budget);

/// The least share of a mechanism that tells any output with the same probability, for all inputs, in a mixture with
/// these rows that is within the limits, which have no delta: each is linear in the share and holds at 1.
Number least_share(const DesignProblem& wanted, const Rows& rows);

}  // namespace oddsbound::designs
