// Reduces a model to smaller ones whose levels determine its level. input_levels.h and group_levels.h are the drivers
// that do this for levels between inputs and between groups of inputs:
// - adaptive composition (model/adaptive_channel.h) -> branches: maximum of the branches' levels;
// - product channel -> components without a common coordinate: exp(level) is the product of the components'
//   exp(level), or the level of a coordinate is that of its component.
//
// Branches: for compositions too large to enumerate. The first word of an output is the answer of the first
// mechanism, so the level is the largest of the branches' levels.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "verifier/engine/measured_model.h"
#include "verifier/model/adaptive_channel.h"
#include "verifier/model/model.h"

namespace oddsbound::engine {

/// Returns the largest level of the branches. `levels_of(part, branches left)` measures one branch as a model of
/// its own. It returns a list of levels, of the same length for every branch. Outputs are those of the whole channel,
/// which must have branches.
template <typename LevelsOf>
auto largest_of_branches(MeasuredModel& subject, LevelsOf levels_of) {
  const std::span<const ChannelPtr> branches = branches_of(subject.channel());
  const std::size_t words = subject.channel().split(0).size();
  decltype(levels_of(subject, std::size_t{1})) largest;
  for (std::size_t y = 0; y < branches.size(); ++y) {
    const Model branch{subject.domain(), branches[y], subject.model().prior};
    MeasuredModel part(branch, subject.budget());
    auto levels = levels_of(part, branches.size() - y);
    for (std::size_t k = 0; k < levels.size(); ++k) {
      change_output(levels[k], [words, y](std::vector<std::uint64_t>& output) {
        output.resize(words);
        output[0] = y;
      });
      if (y > 0) take_larger(largest[k], std::move(levels[k]));
    }
    if (y == 0) largest = std::move(levels);
  }
  return largest;
}

// Components: the independent parts of a product channel.
//
// Factors without a common coordinate are independent. For one output tuple, the largest and the smallest entry of
// the product are products of the factors' extremes, so exp(level) is the product over components.

struct Component {
  std::vector<std::size_t> coordinates;  // of the whole domain, in the order of model.domain
  std::vector<std::size_t> factors;      // of the whole channel, in order
  /// The channel of all factors, if they are the same channel on the same coordinates; otherwise null. If set, the
  /// level of every pair of inputs is its level under this channel times the number of factors.
  ChannelPtr repeated;
  /// The component as a model, with the marginal prior if the prior's coordinates are independent.
  Model model;
};

/// Returns the components of the model's channel; empty if the channel is not a product.
std::vector<Component> components_of(const Model& model, Budget& budget);

/// The component that sees a coordinate, and the place of the coordinate in it.
struct ComponentAbout {
  Component component;
  std::size_t coordinate;
  std::size_t number;  // among components_of()
};
/// With independent coordinates, the outputs of other components reveal nothing about the coordinate, so every sum over
/// outputs about it is that of its component. Returns nullopt if coordinates are not known to be independent, the
/// channel is one component, or no component sees the coordinate.
std::optional<ComponentAbout> component_about(const Model& model, std::size_t coordinate, Budget& budget);

/// Returns true if the channel is not a product, or all its factors and all coordinates form one component.
bool is_connected(const Model& model);

/// Returns true if the channel is not a product, or is one component whose factors are not all the same channel on
/// the same coordinates: there is nothing to decompose.
bool is_indivisible(const Model& model);

/// One likely output per component. Together they complete the output of one component to an output of the whole
/// channel; the other components only scale both probabilities.
class LikelyOutputs {
 public:
  LikelyOutputs(MeasuredModel& subject, const std::vector<Component>& components);

  /// own: the component of `part`, or the number of components if no component sees the coordinate.
  FoundOutput with(std::size_t own, const FoundOutput& part) const;

 private:
  std::vector<std::uint64_t> output_;
  std::vector<std::vector<std::size_t>> factors_;  // of each component
  std::vector<Number> probabilities_;              // of each component's output
  Number all_;
};

}  // namespace oddsbound::engine
