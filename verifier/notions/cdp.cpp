#include "verifier/notions/cdp.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "verifier/engine/decompose.h"
#include "verifier/engine/factor_losses.h"

namespace oddsbound::notions {

namespace {

std::vector<InputLevel> indivisible_cdp(MeasuredModel& subject, const std::vector<std::size_t>& coordinates) {
  if (!pairs_are_cheaper(subject)) return levels_along(subject, {coordinates});
  PairLossSolver losses(subject);
  std::vector<InputLevel> levels;
  for (const std::size_t i : coordinates) {
    const Domain& domain = subject.domain();
    levels.push_back(losses.largest([&](const PairLossSolver::Visit& visit) {
      for (std::uint64_t from = 0; from < domain.inputs(); ++from) {
        const std::uint64_t base = from - domain.digit(from, i) * domain.stride(i);
        for (std::uint64_t v = 0; v < domain.values(i); ++v) visit(from, base + v * domain.stride(i));
      }
    }));
  }
  return levels;
}

std::vector<InputLevel> component_cdp(const Component& component, const std::vector<std::size_t>& own, Budget& budget) {
  if (!component.repeated) {
    MeasuredModel part(component.model, budget);
    return indivisible_cdp(part, own);
  }
  const Model once{component.model.domain, component.repeated, std::nullopt};
  MeasuredModel part(once, budget);
  std::vector<InputLevel> levels = indivisible_cdp(part, own);
  for (InputLevel& level : levels) level = repeated_level(std::move(level), component.factors.size());
  return levels;
}

// Some inputs and output of the whole model. The witness of a coordinate differs from them in one component.
struct WholeModel {
  WholeModel(MeasuredModel& subject)
      : model(subject.kept_model()),
        components(components_of(*model, subject.budget())),
        any(*model, components, subject.budget()) {
    for (std::size_t c = 0; c < components.size(); ++c) any.place_any(c);
  }

  std::shared_ptr<const Model> model;
  std::vector<Component> components;
  Assembly any;
};

// Inputs and output of the whole model are assembled on access: stored for all coordinates, they would take
// quadratic memory.
CdpLevel level_of_component(std::shared_ptr<const WholeModel> whole, std::size_t component, InputLevel part) {
  const Level level = part.level;
  return {level, Lazy<InputLevel>::made_by([whole = std::move(whole), component, part = std::move(part)] {
            Assembly assembly = whole->any;
            assembly.place(component, part);
            return assembly.finish(part.level);
          })};
}

// The level 0 of a coordinate that no component sees.
CdpLevel level_of_unseen(std::shared_ptr<const WholeModel> whole, std::size_t coordinate) {
  return {Level(), Lazy<InputLevel>::made_by([whole = std::move(whole), coordinate] {
            Assembly assembly = whole->any;
            assembly.set_digit(coordinate, 0, whole->model->domain.values(coordinate) - 1);
            return assembly.finish(Level());
          })};
}

std::vector<CdpLevel> cdp_by_components(MeasuredModel& subject, const std::vector<std::size_t>& coordinates) {
  const auto whole = std::make_shared<const WholeModel>(subject);
  std::vector<std::optional<std::size_t>> position(subject.domain().size());  // in `coordinates`
  for (std::size_t k = 0; k < coordinates.size(); ++k) position[coordinates[k]] = k;
  std::vector<CdpLevel> levels(coordinates.size());
  std::vector<bool> done(coordinates.size(), false);
  for (std::size_t c = 0; c < whole->components.size(); ++c) {
    const Component& component = whole->components[c];
    std::vector<std::size_t> wanted;  // positions in `coordinates`
    std::vector<std::size_t> own;     // the same coordinates within the component
    for (std::size_t i = 0; i < component.coordinates.size(); ++i) {
      if (!position[component.coordinates[i]]) continue;
      wanted.push_back(*position[component.coordinates[i]]);
      own.push_back(i);
    }
    if (wanted.empty()) continue;
    std::vector<InputLevel> parts = component_cdp(component, own, subject.budget());
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      subject.budget().check();
      levels[wanted[k]] = level_of_component(whole, c, std::move(parts[k]));
      done[wanted[k]] = true;
    }
  }
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    if (!done[k]) levels[k] = level_of_unseen(whole, coordinates[k]);
  }
  return levels;
}

std::vector<CdpLevel> compute_cdp(MeasuredModel& subject, const std::vector<std::size_t>& coordinates) {
  if (!branches_of(subject.channel()).empty()) {
    return largest_input_levels(subject, [&](MeasuredModel& part) { return compute_cdp(part, coordinates); });
  }
  if (!is_indivisible(subject.model())) return cdp_by_components(subject, coordinates);
  std::vector<CdpLevel> levels;
  for (InputLevel& level : indivisible_cdp(subject, coordinates)) {
    const Level own = level.level;
    levels.push_back({own, std::move(level)});
  }
  return levels;
}

MeasuredLevel measured_coordinate(MeasuredModel& subject, std::size_t coordinate, const CdpLevel& level) {
  const auto witness = [model = subject.kept_model(), whole = level.whole, coordinate] {
    Witness own = witness_of(*model, whole.get());
    own.coordinate = model->domain.coordinate(coordinate).name;
    return own;
  };
  if (!level.whole.is_kept()) return {level.level, Lazy<Witness>::made_by(witness)};
  return {level.level, witness(), level.whole.get().by_cases ? Way::kCases : Way::kDirect};
}

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

const std::vector<CdpLevel>& cdp_levels(MeasuredModel& subject) {
  return subject.remember("cdp", [&] { return compute_cdp(subject, every_coordinate(subject.domain())); });
}

void expect_cdp(MeasuredModel& subject) {
  if (!is_indivisible(subject.model()) || !decided_by_columns(subject)) return;
  subject.expect(AlongCoordinates{every_coordinate(subject.domain())});
}

std::vector<MeasuredLevel> measured_cdp(MeasuredModel& subject) {
  std::vector<MeasuredLevel> levels;
  for (const CdpLevel& level : cdp_levels(subject)) {
    subject.budget().check();
    levels.push_back(measured_coordinate(subject, levels.size(), level));
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
          .define = define_cdp,
          .measure = measured_cdp,
          .audited = true,
          .large_proofs = {.by_parts = true, .by_cases = true},
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
          .define = define_partial,
          .locking = {.measures = "cdp"},
          .expect = [](MeasuredModel& subject, const Arguments&) { expect_cdp(subject); }};
}

}  // namespace oddsbound::notions
