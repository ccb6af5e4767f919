// Levels of adaptive compositions that are too large to be listed (model/adaptive_channel.h): an output says what the
// first mechanism answered, so a level is the largest of the branches'.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "verifier/engine/column_scan.h"
#include "verifier/engine/measured_model.h"
#include "verifier/model/adaptive_channel.h"
#include "verifier/model/model.h"

namespace oddsbound::engine {

/// levels_of(part, branches left) measures a branch as a model of its own: a list of levels, each with `change_output`
/// and `level`, as long for every branch. take_larger(largest, other) makes a level the larger of two; outputs are
/// those of the whole. The channel has branches.
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
        output.resize(words);  // also of one that nothing shows, which has none
        output[0] = y;
      });
      if (y > 0) take_larger(largest[k], std::move(levels[k]));
    }
    if (y == 0) largest = std::move(levels);
  }
  return largest;
}

/// Of levels that are known, between inputs.
template <typename LevelsOf>
auto largest_input_levels(MeasuredModel& subject, LevelsOf levels_of) {
  return largest_of_branches(
      subject, [&](MeasuredModel& part, std::size_t) { return levels_of(part); },
      [](auto& largest, auto other) {
        if (other.level > largest.level) largest = std::move(other);
      });
}

// The independent parts of a product channel, so that levels which follow from the parts are computed on the parts.
//
// Factors that share no coordinate do not interact: for one output tuple the largest and the smallest entry of the
// product are products of the factors' extremes, so exp(level) multiplies over components.

struct Component {
  std::vector<std::size_t> coordinates;  // of the whole domain, in the order of the component's own domain
  std::vector<std::size_t> factors;      // of the whole channel, in order
  /// If all factors are the same channel on the same coordinates, that channel (each pair's loss is then the single
  /// one times the number of factors); otherwise null.
  ChannelPtr repeated;
  /// The component as a model of its own, with the marginal prior if the prior's coordinates are independent.
  Model model;
};

/// The components of the model's channel; empty if the channel is not a product.
std::vector<Component> components_of(const Model& model, Budget& budget);

/// True if the channel is no product, or all its factors and all coordinates are one component.
bool is_connected(const Model& model);

/// True if that component is not a repetition either: there is nothing to take apart.
bool is_indivisible(const Model& model);

/// The level between the same two inputs when the channel is run `times` times and all outputs are released.
InputLevel repeated_level(InputLevel once, std::size_t times);

/// Assembles an input and an output of the whole from those of components. Coordinates that no component has keep
/// their first value (under `support`, their first value of positive mass); a component without a level gets its first
/// input and an output of positive probability.
class Assembly {
 public:
  Assembly(const Model& model, const std::vector<Component>& components, Budget& budget,
           const Prior* support = nullptr);
  void place(std::size_t component, const InputLevel& level);
  void place_any(std::size_t component);
  InputLevel finish(const Level& level) const;
  /// Sets a coordinate that no component has.
  void set_digit(std::size_t coordinate, std::uint64_t from, std::uint64_t to);

 private:
  const Model& model_;
  const std::vector<Component>& components_;
  InputLevel whole_;
};

// Levels between inputs, by the cheapest way there is: by cases, or by a pass over the columns.
//
// If the parts of a channel share neither inputs nor outputs (Channel::cases), inputs of different parts are told apart
// by any output, inputs of one part have the level they have there, and equal parts are measured once.

/// True if levels between inputs of a model that is not taken apart are found by a pass over its columns: neither by
/// cases, nor by pairs of rows.
bool decided_by_columns(const MeasuredModel& subject);

/// The level over all pairs of inputs of the same group. Groups must not be empty.
InputLevel level_within(MeasuredModel& subject, const WithinGroups& question);

/// The level over all pairs (x, x') with x in `from`, which is not empty, and x' any input.
InputLevel level_from(MeasuredModel& subject, const FromInputs& question);

/// The level over all pairs of inputs.
InputLevel level_over_all(MeasuredModel& subject);

/// For each of the coordinates, the level over all pairs of inputs that differ in that coordinate only.
std::vector<InputLevel> levels_along(MeasuredModel& subject, const AlongCoordinates& question);

}  // namespace oddsbound::engine
