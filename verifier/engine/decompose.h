// Reduces a model to smaller ones whose levels determine its level. In the order of this file:
// - adaptive composition (model/adaptive_channel.h) -> branches: maximum of the branches' levels;
// - product channel -> components without a common coordinate: exp(level) is the product of the components'
//   exp(level);
// - channel with parts that share neither inputs nor outputs (Channel::disjoint_parts) -> parts: infinite if a
//   pair of inputs is in different parts, otherwise the maximum of the parts' levels.
//
// Branches: for compositions too large to enumerate. The first word of an output is the answer of the first
// mechanism, so the level is the largest of the branches' levels.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "verifier/engine/column_scan.h"
#include "verifier/engine/measured_model.h"
#include "verifier/model/adaptive_channel.h"
#include "verifier/model/model.h"

namespace oddsbound::engine {

/// Returns the largest level of the branches. `levels_of(part, branches left)` measures one branch as a model of
/// its own. It returns a list of levels with `change_output` and `level`, of the same length for every branch.
/// `take_larger(largest, other)` replaces a level by the larger of two. Outputs are those of the whole channel,
/// which must have branches.
template <typename LevelsOf, typename TakeLarger>
auto largest_of_branches(MeasuredModel& subject, LevelsOf levels_of, TakeLarger take_larger) {
  const std::span<const ChannelPtr> branches = branches_of(subject.channel());
  const std::size_t words = subject.channel().split(0).size();
  decltype(levels_of(subject, std::size_t{1})) largest;
  for (std::size_t y = 0; y < branches.size(); ++y) {
    const Model branch{subject.domain(), branches[y], subject.model().prior};
    MeasuredModel part(branch, subject.budget());
    auto levels = levels_of(part, branches.size() - y);
    for (std::size_t k = 0; k < levels.size(); ++k) {
      levels[k].change_output([words, y](std::vector<std::uint64_t>& output) {
        output.resize(words);  // a level without witness has no output yet
        output[0] = y;
      });
      if (y > 0) take_larger(largest[k], std::move(levels[k]));
    }
    if (y == 0) largest = std::move(levels);
  }
  return largest;
}

/// The same for InputLevels that are known exactly.
template <typename LevelsOf>
auto largest_input_levels(MeasuredModel& subject, LevelsOf levels_of) {
  return largest_of_branches(
      subject, [&](MeasuredModel& part, std::size_t) { return levels_of(part); },
      [](auto& largest, auto other) {
        if (other.level > largest.level) largest = std::move(other);
      });
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

/// Returns true if the channel is not a product, or all its factors and all coordinates form one component.
bool is_connected(const Model& model);

/// Returns true if the channel is not a product, or is one component whose factors are not all the same channel on
/// the same coordinates: there is nothing to decompose.
bool is_indivisible(const Model& model);

/// Returns the level of the same two inputs when the channel runs `times` times and all outputs are released.
InputLevel repeated_level(InputLevel once, std::size_t times);

/// Assembles an input pair and an output of the whole model from those of its components. Coordinates outside all
/// components get their first value (with `support`, their first value of positive mass). A component placed by
/// `place_any` keeps its first input and gets an output of positive probability.
class Assembly {
 public:
  Assembly(const Model& model, const std::vector<Component>& components, Budget& budget,
           const Prior* support = nullptr);
  void place(std::size_t component, const InputLevel& level);
  void place_any(std::size_t component);
  InputLevel finish(const Level& level) const;
  /// Sets a coordinate that belongs to no component.
  void set_digit(std::size_t coordinate, std::uint64_t from, std::uint64_t to);

 private:
  const Model& model_;
  const std::vector<Component>& components_;
  InputLevel whole_;
};

// Levels between inputs: by disjoint parts if the channel has them, otherwise by a pass over the columns.
//
// If the parts share neither inputs nor outputs, any output separates inputs of different parts (infinite level).
// Inputs of one part have the level they have there. Equal parts are measured once.

/// Returns true if levels between inputs of an undecomposed model come from a pass over its columns: neither from
/// disjoint parts nor from pairs of rows (factor_losses.h).
bool decided_by_columns(const MeasuredModel& subject);

/// Returns the level over all pairs of inputs of the same group. Groups must not be empty.
InputLevel level_within(MeasuredModel& subject, const WithinGroups& question);

/// Returns the level over all pairs (x, x') with x in `from`, which is not empty, and x' any input.
InputLevel level_from(MeasuredModel& subject, const FromInputs& question);

/// Returns the level over all pairs of inputs.
InputLevel level_over_all(MeasuredModel& subject);

/// Returns, for each of the coordinates, the level over all pairs of inputs that differ in that coordinate only.
std::vector<InputLevel> levels_along(MeasuredModel& subject, const AlongCoordinates& question);

}  // namespace oddsbound::engine
