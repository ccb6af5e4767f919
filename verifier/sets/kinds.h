// All kinds of sets of priors, one file each.
#pragma once

#include <vector>

#include "verifier/model/prior.h"
#include "verifier/sets/prior_set.h"

namespace oddsbound::sets {

/// Every prior.
PriorSetPtr all_priors();
/// Every prior under which coordinates are independent.
PriorSetPtr product_priors();
/// For a level of coordinate i, every prior under which what the others are is known so well whatever coordinate i is:
/// the total variation between pi(others | a) and pi(others | b) is at most at_most[i], for all a and b that have mass.
/// None: the set says nothing about that coordinate. (BCDP paper, equation 13.)
PriorSetPtr correlation_at_most(const Domain& domain, std::vector<std::optional<Number>> at_most);

/// (1 - share) center + share anything, where anything is a distribution on the domain, or on the inputs that have mass
/// in the center.
enum class Support { kDomain, kCenter };
PriorSetPtr contaminated(Prior center, const Number& share, Support support);
/// Every prior within this total variation of the center.
PriorSetPtr total_variation_ball(Prior center, const Number& radius);
/// Every prior proportional to w * center with 1/factor <= w <= factor, input by input. factor >= 1.
PriorSetPtr reweighted(Prior center, const Number& factor);
struct CellBounds {
  Number lower, upper;
};
/// Of some inputs, in their order, and of every other one.
struct CellIntervals {
  std::vector<std::pair<std::uint64_t, CellBounds>> rows;
  CellBounds others;

  const CellBounds& of(std::uint64_t input) const;
};
/// Every prior each cell of which lies in its interval; some prior is one.
PriorSetPtr within_intervals(CellIntervals intervals);

/// The distribution of some coordinates: the probability of each assignment, the last coordinate fastest.
struct Marginal {
  std::vector<std::size_t> coordinates;
  std::vector<Number> cells;
};
/// Whether some prior has all of these. Throws LimitError past the budget.
bool is_possible(const Domain& domain, const std::vector<Marginal>& marginals, Budget& budget);
/// Every prior that has all of these; there is one.
PriorSetPtr with_marginals(std::vector<Marginal> marginals);

/// Every prior that a sample does not speak against: independent draws, by the input that was drawn. The true prior is
/// one with the confidence, a rational between 0 and 1. counts: integers, as Prior::from_weights takes them.
PriorSetPtr sampled(Prior counts, const Number& confidence);

/// A coordinate of a Bayesian network whose tables are known within intervals.
struct IntervalNode {
  struct Row {
    std::vector<Number> lower, upper;  // per value; some distribution lies between them
  };
  std::size_t coordinate = 0;
  std::vector<std::size_t> parents;
  std::vector<Row> rows;  // per assignment of the parents, the last one fastest
};
/// Every prior of the network with rows that lie in their intervals. A node for every coordinate, no circles.
PriorSetPtr network_within(std::vector<IntervalNode> nodes);

/// Any of these.
PriorSetPtr any_of(std::vector<Prior> priors);
/// Any mixture of these.
PriorSetPtr mixtures_of(std::vector<Prior> priors);
/// What somebody believes who believed the center and learned something that depends on some coordinates alone.
PriorSetPtr side_knowledge(Prior center, std::vector<std::size_t> about);

}  // namespace oddsbound::sets
