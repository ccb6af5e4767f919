// Which inputs a claim compares by the fields "neighbors", "records" and "differ": those that differ in one coordinate
// only, within one record, or at all, and of these those that differ in some coordinates alone.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "verifier/model/arguments.h"
#include "verifier/model/domain.h"

namespace oddsbound::notions {

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
