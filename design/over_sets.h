// Limits over sets of priors. For each prior of a set they are limits like others; those under a few priors, which
// mechanisms broke, are enough of them: whoever keeps within these loses no less, and is asked again whether he keeps
// within all.
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
  std::size_t at_once = 1;  // as many levels are asked for together, of other coordinates
};

std::vector<Level> levels_of(const std::vector<OverSetLimit>& limits);

struct OverSets {
  const Domain& domain;
  std::vector<std::uint64_t> row_of_input;  // of the mechanism
  std::vector<OverSetLimit> limits;
  std::vector<Number> bounds;  // by limit: e^level, or what stands for it
};

/// What rows of a mechanism break.
struct Broken {
  std::vector<Limit>
      limits;            // under members of the sets, with their priors; sides are rows, demands places in OverSets
  bool barely = true;    // by factors below 1 + 2^-14
  bool unshown = false;  // something is not known to hold, and no member shows that it does not
  bool holds() const { return limits.empty() && !unshown; }
};
Broken broken_by(const OverSets& over_sets, const Rows& rows, Budget& budget);

/// What is best within all limits, those over sets too. `solve` says what is best within those of `wanted`, to which
/// those under members are added that it breaks, until it breaks none. Where they do not end, or members do not show
/// what is broken, the share is that of a mechanism that tells nothing in what is returned, which is not best then.
/// None: solve has none. Throws LimitError past the budget.
struct WithinSets {
  Optimum optimum;
  Number share{0};
};
std::optional<WithinSets> best_within(DesignProblem& wanted, const OverSets& over_sets,
                                      const std::function<std::optional<Optimum>(const DesignProblem&)>& solve,
                                      Budget& budget);

/// Sides of inputs become sides of rows.
void gather(Limit& limit, const std::vector<std::uint64_t>& row_of_input);

}  // namespace oddsbound::designs
