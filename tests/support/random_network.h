// Random Bayesian networks with interval tables, and their members by definition.
#pragma once

#include <vector>

#include "tests/support/random_model.h"
#include "verifier/priors/prior_set.h"

namespace oddsbound::testing {

/// At most `most_open` rows have intervals wider than a point. A coordinate has at most two parents.
std::vector<priors::IntervalNode> random_intervals(Random& random, const Domain& domain, std::size_t most_open);
/// The same network with one distribution per row, within its intervals.
std::vector<NetworkNode> random_rows_within(Random& random, const std::vector<priors::IntervalNode>& nodes);
/// The probability of every input.
std::vector<Number> joint_of(const Domain& domain, const std::vector<NetworkNode>& nodes);
/// Returns true if the probabilities are products of conditionals within the intervals.
bool is_within(const Domain& domain, const std::vector<priors::IntervalNode>& nodes, const std::vector<Number>& joint);

}  // namespace oddsbound::testing
