// Sets of priors of every kind around random models, each with its definition, and random members.
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
/// 0, 1, or between them.
Number random_share(Random& random);
Weights random_weights(Random& random, std::size_t inputs);
Prior prior_of(const Domain& domain, const Weights& weights);
Model with_prior(const Model& model, const Weights& weights);
/// Channels with zeros have infinite levels under most sets: most of these have none.
Model model_for_sets(Random& random, Entries entries);
ChannelPtr without_zeros(const Channel& channel);
std::vector<priors::Marginal> marginals_of(const Model& model, const std::vector<std::vector<std::size_t>>& tables);

inline priors::Ratio exponential_of(const Level& level) {
  return level.is_infinite() ? priors::Ratio::infinity() : priors::Ratio{level.exponential()};
}

/// A set with its definition in two ways. The model outlives it.
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

/// Of the values of a coordinate.
priors::SetLevel level_of(const Model& model, const priors::PriorSet& set, std::size_t coordinate,
                        const AllowedPairs& direction = {});

/// Requires that what shows the level is a member, and shows it.
void check_member(const Model& model, const SetInstance& instance, std::size_t i, const priors::SetLevel& found);

}  // namespace oddsbound::testing
