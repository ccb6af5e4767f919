#include "verifier/notions/partial.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "verifier/notions/cdp.h"

namespace oddsbound::notions {

namespace {

Decision decide_partial(MeasuredModel& subject, const Arguments& arguments) {
  return decide_coordinates(subject.domain(), measured_cdp(subject), arguments.get<CoordinateLevels>("epsilon"));
}

// Definition 5: the level of a pair is the sum over the coordinates that differ, which lie within one record.
Definition define_partial(const Model& model, const Arguments& arguments, const LookedAt& inputs) {
  const Domain& domain = model.domain;
  const CoordinateLevels& levels = arguments.get<CoordinateLevels>("epsilon");
  CoordinateGroups records;
  if (arguments.has("records")) {
    records = arguments.get<CoordinateGroups>("records");
  } else {
    records.groups.emplace_back(domain.size());
    std::iota(records.groups[0].begin(), records.groups[0].end(), std::size_t{0});
  }
  std::map<std::vector<std::size_t>, std::size_t> index;
  Definition definition;
  const auto comparison_of = [&](const std::vector<std::size_t>& changed) -> Comparison& {
    const auto [place, added] = index.try_emplace(changed, definition.size());
    if (!added) return definition[place->second];
    Comparison& comparison = definition.emplace_back();
    for (const std::size_t i : changed) {
      comparison.level = comparison.level + *levels[i];
      comparison.about += (comparison.about.empty() ? "" : ", ") + domain.coordinate(i).name;
    }
    if (changed.size() > 1) comparison.tight = Comparison::Tight::kNone;
    return comparison;
  };
  // Every level that is claimed, whether or not any inputs differ in its coordinate: `tight` is about all of them.
  for (std::size_t i = 0; i < domain.size(); ++i) comparison_of({i});
  // Of some inputs only those that differ in one coordinate: sets of coordinates are too many to ask about each.
  for (std::size_t i = 0; i < domain.size() && !inputs.are_all(); ++i) {
    const bool in_record = std::any_of(records.groups.begin(), records.groups.end(), [&](const auto& record) {
      return std::find(record.begin(), record.end(), i) != record.end();
    });
    if (in_record) comparison_of({i}).pairs = inputs.pairs_within({i});
  }
  if (!inputs.are_all()) return definition;
  for (const auto& [from, to] : pairs_among(inputs.places())) {
    std::vector<std::size_t> changed;
    for (std::size_t i = 0; i < domain.size(); ++i) {
      if (domain.digit(from, i) != domain.digit(to, i)) changed.push_back(i);
    }
    const bool one_record = std::any_of(records.groups.begin(), records.groups.end(), [&](const auto& record) {
      return differ_within(domain, inputs, from, to, record);
    });
    if (!one_record) continue;
    comparison_of(changed).pairs.emplace_back(from, to);
  }
  return definition;
}

}  // namespace

Notion partial_dp_notion() {
  return {.name = "partial_dp",
          .summary =
              "partial differential privacy: inputs that differ within one record may differ by the sum of the "
              "levels of the coordinates that differ",
          .source = "partial-DP paper, Definitions 4 and 5",
          .fields = {compared({"epsilon", FieldKind::kAllCoordinateLevels}), {"records", FieldKind::kRecords, false}},
          .form = ClaimForm::kByCoordinate,
          .decide = decide_partial,
          .define = define_partial,
          .locking = {.measures = "cdp"},
          .expect = [](MeasuredModel& subject, const Arguments&) { expect_cdp(subject); }};
}

}  // namespace oddsbound::notions
