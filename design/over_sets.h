// Constraints for all priors of a set, by cutting planes: solve under the priors found so far, look for a prior
// that breaks a limit, add its limit, repeat. Each relaxation is a lower bound on the loss.
#pragma once

#include <functional>

#include "design/program.h"
#include "verifier/priors/prior_set.h"
#include "verifier/smt/over_sets.h"

namespace oddsbound::designs {

struct OverSetLimit {
  std::size_t demand = 0;
  priors::PriorSetPtr set;
  smt::OverSet compared;
  std::size_t at_once = 1;  // number of coordinates whose levels are asked for together
};

std::vector<Level> levels_of(const std::vector<OverSetLimit>& limits);

struct OverSets {
  const Domain& domain;
  std::vector<std::uint64_t> row_of_input;  // of the mechanism
  std::vector<OverSetLimit> limits;
  std::vector<Number> bounds;  // by limit: e^level or its approximation
};

/// The limits that the rows of a mechanism break.
struct Broken {
  std::vector<Limit> limits;  // under members, with their priors; sides are rows, `demand` indexes OverSets::limits
  bool barely = true;         // all by factors below 1 + 2^-14
  bool unshown = false;       // some limit is not known to hold, and no member shows that it fails
  bool holds() const { return limits.empty() && !unshown; }
};
Broken broken_by(const OverSets& over_sets, const Rows& rows, Budget& budget);

/// Returns the optimum under all limits, those over sets included. `solve` finds the optimum under the limits of
/// `wanted`; the limits that its result breaks under members are added to `wanted`, until none is broken. If this
/// does not end, or members do not show what is broken, the result is mixed with a fraction `share` of a mechanism
/// that reveals nothing, and is then not optimal. nullopt if `solve` returns nullopt. Throws LimitError past the
/// budget.
struct WithinSets {
  Optimum optimum;
  Number share{0};
};
std::optional<WithinSets> best_within(DesignProblem& wanted, const OverSets& over_sets,
                                      const std::function<std::optional<Optimum>(const DesignProblem&)>& solve,
                                      Budget& budget);

/// Replaces sides of inputs by sides of rows.
void gather(Limit& limit, const std::vector<std::uint64_t>& row_of_input);

}  // namespace oddsbound::designs
