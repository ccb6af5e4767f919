// Everything between pairs: the loss from each input (or value of a coordinate) to each other one, and how much each
// coordinate says about each other one. What is drawn as heat maps; levels and claims rest on none of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verifier/model/model.h"
#include "verifier/engine/measured_model.h"

namespace oddsbound::measures {

/// loss[a][b] is the least level with P(y given sides[a]) <= e^level P(y given sides[b]) for all outputs y.
struct LossMatrix {
  std::vector<Label> sides;
  std::vector<std::vector<Level>> loss;
  /// Of how many sides these are the worst ones, where there are more than 48: those at both ends of
  /// the largest losses, in their order.
  std::optional<std::uint64_t> among{};
};

struct HeatMaps {
  std::optional<LossMatrix> inputs;
  /// Per coordinate, between its values of positive mass under the prior.
  std::vector<std::optional<LossMatrix>> values;
  /// [i][j]: the largest total-variation distance between the distributions of coordinate j given two values of
  /// coordinate i. Empty without a prior.
  std::vector<std::vector<Number>> correlation;
};

/// Exact. Of more than 48 sides the worst ones are measured, of more than 48 coordinates no correlations; losses of
/// channels with more than 2^20 entries are left out: they would take long. Throws LimitError past the budget.
HeatMaps measure_heat_maps(MeasuredModel& subject);

/// The losses between inputs, however many outputs there are; none if there are more than 48 inputs. Throws LimitError
/// past the budget.
std::optional<LossMatrix> input_losses(MeasuredModel& subject);

/// Whether a channel is small enough for losses and trade-off curves to be drawn.
bool small_enough_to_draw(const Channel& channel, const Limits& limits);

}  // namespace oddsbound::measures
