// Random sets of priors of every kind, around random models, each with its definition and random members.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/support/random_model.h"
#include "verifier/priors/prior_set.h"
#include "verifier/priors/set_level.h"

namespace oddsbound::testing {

using Weights = std::vector<Number>;  // by input, normalized

Weights normalized(Weights weights);
/// Returns 0, 1, or a random number in between.
Number random_share(Random& random);
Weights random_weights(Random& random, std::size_t inputs);
Prior prior_of(const Domain& domain, const Weights& weights);
Model with_prior(const Model& model, const Weights& weights);
/// Most of these models have no zero entries: with zeros, levels over most sets are infinite.
Model model_for_sets(Random& random, Entries entries);
ChannelPtr without_zeros(const Channel& channel);
std::vector<priors::Marginal> marginals_of(const Model& model, const std::vector<std::vector<std::size_t>>& tables);

inline priors::Ratio exponential_of(const Level& level) {
  return level.is_infinite() ? priors::Ratio::infinity() : priors::Ratio{level.exponential_as_surd()};
}

/// A set with its definition as a membership test and as a generator. The model must outlive it.
struct SetInstance {
  priors::PriorSetPtr set;
  std::function<bool(const Weights&)> contains;
  std::function<Weights(Random&)> member;
};

struct KindOfSet {
  std::string name;
  std::function<SetInstance(Random&, const Model&, std::size_t coordinate)> make;
};
const std::vector<KindOfSet>& kinds_of_sets();

/// The level between the values of a coordinate.
GroupLevel level_of(const Model& model, const priors::PriorSet& set, std::size_t coordinate,
                    const AllowedPairs& direction = {});

/// Requires that the witness is a member of the set and attains the level.
void check_member(const Model& model, const SetInstance& instance, std::size_t i, const GroupLevel& found);

}  // namespace oddsbound::testing
