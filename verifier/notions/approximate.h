// Approximate differential privacy: the hockey-stick divergence between inputs.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "verifier/model/definition.h"
#include "verifier/model/domain.h"
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

// BCDP up to a small probability: the hockey-stick divergence between what is published given two values.

Notion approximate_bcdp_notion();

// Which inputs a claim compares by the fields "neighbors", "records" and "differ": those that differ in one coordinate
// only, within one record, or at all, and of these those that differ in some coordinates alone.

/// The fields of a claim, and these.
std::vector<Field> with_neighbors(std::vector<Field> fields);

/// Inputs are compared that differ within one of these groups of coordinates; without the fields, all.
CoordinateGroups neighborhoods(const Domain& domain, const Arguments& arguments);

/// "records" say nothing of other neighbors.
std::optional<std::pair<std::string, std::string>> complaint_about_records(const Domain& domain,
                                                                           const Arguments& arguments);

/// How far inputs lie apart that differ only within a group.
std::vector<std::uint64_t> offsets_of(const Domain& domain, const std::vector<std::size_t>& group);

/// Visits every ordered pair of different inputs that differ only within one of the groups.
template <typename Visit>
void for_all_neighbors(const Domain& domain, const CoordinateGroups& groups, const Visit& visit) {
  for (const auto& group : groups.groups) {
    const std::vector<std::uint64_t> offsets = offsets_of(domain, group);
    for (std::uint64_t from = 0; from < domain.inputs(); ++from) {
      std::uint64_t base = from;
      for (const std::size_t i : group) base -= domain.digit(from, i) * domain.stride(i);
      for (const std::uint64_t offset : offsets) {
        if (base + offset != from) visit(from, base + offset);
      }
    }
  }
}

}  // namespace oddsbound::notions
