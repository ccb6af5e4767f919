// The independent parts of a product channel, so that levels which follow from the parts are computed on the parts.
//
// Factors that share no coordinate do not interact: for one output tuple the largest and the smallest entry of the
// product are products of the factors' extremes, so exp(level) multiplies over components.
#pragma once

#include <vector>

#include "verifier/model/model.h"
#include "verifier/model/witness.h"

namespace oddsbound::structure {

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

}  // namespace oddsbound::structure
