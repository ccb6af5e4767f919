// Coordinate differential privacy (BCDP paper, Definition 3).
#pragma once

#include <vector>

#include "verifier/engine/measured_model.h"
#include "verifier/model/model.h"
#include "verifier/notions/notion.h"

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

// Per-attribute partial differential privacy (partial-DP paper, Definitions 4 and 5).

/// A claim allows two inputs that differ within one record the sum of the levels of the coordinates that differ.
///
/// Losses obey the triangle inequality along the path that changes one coordinate at a time, which stays within the
/// record, so this holds exactly if each single change obeys its own level (Lemma 7): partial_dp is decided by the CDP
/// levels. Records restrict which inputs are compared, and any of them admits all changes of a single coordinate.
Notion partial_dp_notion();

}  // namespace oddsbound::notions
