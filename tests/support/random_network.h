// Random Bayesian networks whose tables are known within intervals, and what belongs to them by definition.
#pragma once

#include <vector>

#include "tests/support/random_model.h"
#include "verifier/priors/prior_set.h"

namespace oddsbound::testing {

/// At most `most_open` rows have intervals that are wider than a point, and a coordinate at most two parents.
std::vector<priors::IntervalNode> random_intervals(Random& random, const Domain& domain, std::size_t most_open);
/// The same network with one distribution per row, of those that lie in its intervals.
std::vector<NetworkNode> random_rows_within(Random& random, const std::vector<priors::IntervalNode>& nodes);
/// The probability of every input.
std::vector<Number> joint_of(const Domain& domain, const std::vector<NetworkNode>& nodes);
/// Whether the probabilities are products of conditionals that lie in the intervals.
bool is_within(const Domain& domain, const std::vector<priors::IntervalNode>& nodes, const std::vector<Number>& joint);

}  // namespace oddsbound::testing
