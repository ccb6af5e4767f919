#include "verifier/notions/neighbors.h"

#include <algorithm>

namespace oddsbound::notions {

std::vector<Field> with_neighbors(std::vector<Field> fields) {
  fields.push_back({"neighbors", FieldKind::kWord, false, "", {"all", "coordinate", "record"}});
  fields.push_back({"records", FieldKind::kRecords, false});
  fields.push_back({"differ", FieldKind::kCoordinates, false});
  return fields;
}

namespace {

CoordinateGroups groups_of(const Domain& domain, const Arguments& arguments) {
  const std::string kind = arguments.has("neighbors") ? arguments.get<std::string>("neighbors") : "all";
  if (kind == "record" && arguments.has("records")) return arguments.get<CoordinateGroups>("records");
  CoordinateGroups groups;
  if (kind != "coordinate") groups.groups.emplace_back();
  for (std::size_t i = 0; i < domain.size(); ++i) {
    if (kind == "coordinate") groups.groups.emplace_back();
    groups.groups.back().push_back(i);
  }
  return groups;
}

}  // namespace

CoordinateGroups neighborhoods(const Domain& domain, const Arguments& arguments) {
  CoordinateGroups groups = groups_of(domain, arguments);
  const auto* differ = arguments.find_if<Coordinates>("differ");
  if (differ == nullptr) return groups;
  const auto is_the_same = [&](std::size_t i) {
    return std::find(differ->coordinates.begin(), differ->coordinates.end(), i) == differ->coordinates.end();
  };
  for (auto& group : groups.groups) group.erase(std::remove_if(group.begin(), group.end(), is_the_same), group.end());
  groups.groups.erase(
      std::remove_if(groups.groups.begin(), groups.groups.end(), [](const auto& group) { return group.empty(); }),
      groups.groups.end());
  return groups;
}

std::optional<std::pair<std::string, std::string>> complaint_about_records(const Domain&, const Arguments& arguments) {
  const auto* neighbors = arguments.find_if<std::string>("neighbors");
  if (!arguments.has("records") || (neighbors != nullptr && *neighbors == "record")) return std::nullopt;
  return std::pair{"records", "'records' needs \"neighbors\": \"record\""};
}

std::vector<std::uint64_t> offsets_of(const Domain& domain, const std::vector<std::size_t>& group) {
  std::vector<std::uint64_t> offsets{0};
  for (const std::size_t i : group) {
    std::vector<std::uint64_t> longer;
    for (const std::uint64_t offset : offsets) {
      for (std::uint64_t v = 0; v < domain.values(i); ++v) longer.push_back(offset + v * domain.stride(i));
    }
    offsets = std::move(longer);
  }
  return offsets;
}

}  // namespace oddsbound::notions
