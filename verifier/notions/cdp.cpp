#include "verifier/notions/cdp.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "verifier/engine/input_levels.h"
#include "verifier/notions/shuffled.h"

namespace oddsbound::notions {

namespace {

Decision decide_cdp(MeasuredModel& subject, const Arguments& arguments) {
  return decide_coordinates(subject.domain(), measured_cdp(subject), arguments.get<CoordinateLevels>("epsilon"));
}

Definition define_cdp(const Model& model, const Arguments& arguments, const InputSubset& inputs) {
  const CoordinateLevels& levels = arguments.get<CoordinateLevels>("epsilon");
  Definition definition;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (!levels[i]) continue;
    Comparison& comparison = definition.emplace_back();
    comparison.about = model.domain.coordinate(i).name;
    comparison.level = *levels[i];
    comparison.pairs = inputs.pairs_within({i});
  }
  return definition;
}

}  // namespace

const std::vector<InputLevel>& cdp_levels(MeasuredModel& subject) {
  return subject.remember("cdp", [&] { return levels_along(subject, every_coordinate(subject.domain())); });
}

void expect_cdp(MeasuredModel& subject) { expect_along(subject, every_coordinate(subject.domain())); }

std::vector<MeasuredLevel> measured_cdp(MeasuredModel& subject) {
  std::vector<MeasuredLevel> levels;
  for (const InputLevel& level : cdp_levels(subject)) {
    subject.budget().check();
    levels.push_back(level.shown_as([model = subject.kept_model(), i = levels.size()](const InputPair& pair) {
      Witness own = witness_of(*model, pair);
      own.coordinate = model->domain.coordinate(i).name;
      return own;
    }));
  }
  return levels;
}

Notion cdp_notion() {
  return {.name = "cdp",
          .title = "coordinate DP",
          .summary =
              "coordinate differential privacy: ldp between inputs that differ in one coordinate only, per "
              "coordinate",
          .source = "BCDP paper, Definition 3",
          .fields = {compared({"epsilon", FieldKind::kCoordinateLevels})},
          .form = ClaimForm::kByCoordinate,
          .decide = decide_cdp,
          .decide_shuffled = as_one_report(decide_cdp, OtherPeople::kSameInput),
          .define = define_cdp,
          .measure = measured_cdp,
          .audited = true,
          .large_proofs = {.by_parts = true, .by_cases = true, .by_classes = true},
          .in_new_specs = "no answer depends on",
          .expect = [](MeasuredModel& subject, const Arguments&) { expect_cdp(subject); }};
}

namespace {

Decision decide_partial(MeasuredModel& subject, const Arguments& arguments) {
  return decide_coordinates(subject.domain(), measured_cdp(subject), arguments.get<CoordinateLevels>("epsilon"));
}

// Definition 5: the level of a pair is the sum over the coordinates that differ, which lie within one record.
Definition define_partial(const Model& model, const Arguments& arguments, const InputSubset& inputs) {
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
  // One comparison per claimed level, even if no inputs differ in its coordinate: `tight` is about all levels.
  for (std::size_t i = 0; i < domain.size(); ++i) comparison_of({i});
  // For a subset of the inputs, only pairs that differ in one coordinate: there are too many sets of coordinates
  // to query each.
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
          .decide_shuffled = as_one_report(decide_partial, OtherPeople::kSameInput),
          .define = define_partial,
          .locking = {.measures = "cdp"},
          .expect = [](MeasuredModel& subject, const Arguments&) { expect_cdp(subject); }};
}

}  // namespace oddsbound::notions
