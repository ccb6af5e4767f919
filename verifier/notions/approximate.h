// Approximate differential privacy, between inputs (approximate_dp) and between values of a coordinate under the
// prior (approximate_bcdp): the hockey-stick divergence. approximate_dp of a product with many outputs: from the loss
// distributions of its parts (engine/neighbor_losses.h). Otherwise the cost is pairs of neighbors x outputs in doubles,
// with exact sums only for pairs that may attain the maximum.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "verifier/engine/neighbor_losses.h"
#include "verifier/model/definition.h"
#include "verifier/model/domain.h"
#include "verifier/notions/notion.h"

namespace oddsbound::notions {

/// The least delta for which (epsilon, delta) holds, with the pair of inputs and the event that attain it.
struct HockeyStick {
  Number delta;
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::vector<std::uint64_t> event;  // the outputs with P(y given from) > e^epsilon P(y given to)
  Number p_from;                     // P(event given from)
  Number p_to;
};

/// Returns the largest sum over y of max(0, P(y given x) - e^epsilon P(y given x')) over inputs x, x' that differ
/// only within one of the groups of coordinates. An infinite epsilon allows everything: delta = 0.
///
/// Throws LimitError past the budget.
HockeyStick hockey_stick(MeasuredModel& subject, const Level& epsilon, const CoordinateGroups& groups);

/// Returns the largest P(loss > epsilon), which is P(y given x) summed over the event of hockey_stick: `delta` is
/// p_from. An infinite epsilon allows everything. Throws LimitError past the budget.
HockeyStick largest_tail(MeasuredModel& subject, const Level& epsilon, const CoordinateGroups& groups);

/// Returns the number with the witness of a listed event.
MeasuredNumber with_event(const MeasuredModel& subject, HockeyStick worst);

/// Returns the least delta for the fields of a claim of approximate_dp. If losses are too many to list, bounds are
/// refined until they decide the claimed delta, if possible. Throws LimitError past the budget.
MeasuredNumber measured_delta(MeasuredModel& subject, const Arguments& arguments);

Notion approximate_dp_notion();

// Approximate BCDP: the hockey-stick divergence between the output distributions given two values.

Notion approximate_bcdp_notion();

// Neighbors: the inputs that a claim compares, by its fields "neighbors", "records" and "differ". Inputs differ in
// one coordinate, within one record, or anywhere; "differ" restricts the coordinates in which they may differ.

/// Returns the fields with "neighbors", "records" and "differ" added.
std::vector<Field> with_neighbors(std::vector<Field> fields);

/// Returns the groups of coordinates: inputs that differ only within one group are compared. Without the fields:
/// one group of all coordinates.
CoordinateGroups neighborhoods(const Domain& domain, const Arguments& arguments);

/// Returns the comparison of all neighbors, at level 0 and delta 0.
Comparison comparison_of_neighbors(const Domain& domain, const InputSubset& inputs, const CoordinateGroups& groups);

/// Complains about "records" without "neighbors": "record".
std::optional<std::pair<std::string, std::string>> complaint_about_records(const Domain& domain,
                                                                           const Arguments& arguments);

/// Visits every ordered pair of different inputs that differ only within one of the groups, or that is given.
template <typename Visit>
void for_all_neighbors(const Domain& domain, const CoordinateGroups& groups, const Visit& visit) {
  if (groups.only) {
    for (const auto& [a, b] : groups.only->pairs) {
      visit(a, b);
      visit(b, a);
    }
    return;
  }
  for (const auto& group : groups.groups) engine::for_pairs_within(domain, group, visit);
}

}  // namespace oddsbound::notions
