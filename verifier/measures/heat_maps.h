// Everything between pairs: the loss from each input (or value of a coordinate) to each other one, and how much each
// coordinate says about each other one. What is drawn as heat maps; levels and claims rest on none of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verifier/model/witness.h"
#include "verifier/ratios/measured_model.h"

namespace oddsbound::measures {

/// loss[a][b] is the least level with P(y given sides[a]) <= e^level P(y given sides[b]) for all outputs y.
struct PairwiseLosses {
  std::vector<Party> sides;
  std::vector<std::vector<Level>> loss;
};

struct HeatMaps {
  std::optional<PairwiseLosses> inputs;
  /// Per coordinate, between its values of positive mass under the prior; none if there are too many.
  std::vector<std::optional<PairwiseLosses>> values;
  /// [i][j]: the largest total-variation distance between the distributions of coordinate j given two values of
  /// coordinate i. Empty without a prior.
  std::vector<std::vector<Number>> correlation;
};

/// Exact. Matrices of more than 48 sides are left out, as are losses of channels with more than 2^20 entries: nobody
/// could read them, and they would take long. Throws LimitError past the budget.
HeatMaps measure_heat_maps(MeasuredModel& subject);

/// The losses between inputs, however many outputs there are; none if there are more than 48 inputs. Throws LimitError
/// past the budget.
std::optional<PairwiseLosses> input_losses(MeasuredModel& subject);

/// Whether a channel is small enough for losses and trade-off curves to be drawn.
bool small_enough_to_draw(const Channel& channel, const Limits& limits);

}  // namespace oddsbound::measures
