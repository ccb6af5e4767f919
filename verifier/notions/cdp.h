// Coordinate differential privacy (BCDP paper, Definition 3).
#pragma once

#include <vector>

#include "verifier/model/witness.h"
#include "verifier/notions/notion.h"
#include "verifier/ratios/measured_model.h"

namespace oddsbound::notions {

/// The level of a coordinate, with its two inputs and its output.
struct CdpLevel {
  Level level;
  Lazy<InputLevel> whole;

  template <typename Change>
  void change_output(Change change) {
    whole.update([change = std::move(change)](InputLevel& own) { change(own.output); });
  }
};

/// For every coordinate, the exact CDP level: the least c with P(y given x) <= e^c P(y given x') for all outputs and
/// all inputs (over the whole domain) that differ in that coordinate only.
///
/// Returns nats (as exponentials) and witnesses, in coordinate order. Throws LimitError past the budget.
const std::vector<CdpLevel>& cdp_levels(MeasuredModel& subject);
std::vector<MeasuredLevel> measured_cdp(MeasuredModel& subject);

/// Announces what the levels ask of the columns, if anything: the next pass over them takes it along.
void expect_cdp(MeasuredModel& subject);

Notion cdp_notion();

}  // namespace oddsbound::notions
