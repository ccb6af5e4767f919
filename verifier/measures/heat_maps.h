// Pairwise quantities that are drawn as heat maps: the loss from each input (or value of a coordinate) to each
// other one, and the correlation of each pair of coordinates. No level or claim depends on them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verifier/engine/measured_model.h"
#include "verifier/model/model.h"

namespace oddsbound::measures {

/// loss[a][b] is the smallest level with P(y | sides[a]) <= e^level P(y | sides[b]) for all outputs y.
struct LossMatrix {
  std::vector<Label> sides;
  std::vector<std::vector<Level>> loss;
  /// Set if there are more than 48 sides: their number. Then `sides` holds those at both ends of the largest
  /// losses, in their order.
  std::optional<std::uint64_t> among{};
};

struct HeatMaps {
  std::optional<LossMatrix> inputs;
  /// Per coordinate: between its values of positive mass under the prior.
  std::vector<std::optional<LossMatrix>> values;
  /// [i][j]: the largest total variation distance between the distributions of coordinate j given two values of
  /// coordinate i. Empty without a prior, and for more than 48 coordinates.
  std::vector<std::vector<Number>> correlation;
};

/// Returns the heat maps, exactly. To limit the time: at most 48 sides, those with the largest losses; no
/// correlations for more than 48 coordinates; no losses for channels with more than 2^20 entries. Throws
/// LimitError if the budget is exceeded.
HeatMaps measure_heat_maps(MeasuredModel& subject);

/// Returns the losses between inputs, for any number of outputs; nullopt if there are more than 48 inputs. Throws
/// LimitError if the budget is exceeded.
std::optional<LossMatrix> input_losses(MeasuredModel& subject);

/// Returns true if the channel is small enough to draw losses and trade-off curves.
bool small_enough_to_draw(const Channel& channel, const Limits& limits);

}  // namespace oddsbound::measures
