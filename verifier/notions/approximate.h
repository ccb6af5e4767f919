// Approximate differential privacy: the hockey-stick divergence between inputs.
#pragma once

#include <optional>
#include <vector>

#include "verifier/notions/notion.h"

namespace oddsbound::notions {

/// The least delta for which (epsilon, delta) holds, with the pair and the event that show it.
struct HockeyStick {
  Number delta;
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::vector<std::uint64_t> event;  // the outputs with P(y given from) > e^epsilon P(y given to)
  Number p_from;                     // P(event given from)
  Number p_to;
};

/// The largest sum over y of max(0, P(y given x) - e^epsilon P(y given x')) over inputs x, x' that differ only within
/// one of the groups of coordinates. An infinite epsilon allows everything: delta 0.
///
/// Throws LimitError past the budget.
HockeyStick hockey_stick(MeasuredModel& subject, const Level& epsilon, const CoordinateGroups& groups);

Notion approximate_dp_notion();

}  // namespace oddsbound::notions
