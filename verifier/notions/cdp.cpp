#include "verifier/notions/cdp.h"

#include <algorithm>

#include "verifier/ratios/factor_losses.h"
#include "verifier/structure/branches.h"
#include "verifier/structure/components.h"
#include "verifier/structure/input_levels.h"

namespace oddsbound::notions {

namespace {

std::vector<InputLevel> indivisible_cdp(MeasuredModel& subject, const std::vector<std::size_t>& coordinates) {
  if (!pairs_are_cheaper(subject)) return levels_along(subject, {coordinates});
  PairLosses losses(subject);
  std::vector<InputLevel> levels;
  for (const std::size_t i : coordinates) {
    const Domain& domain = subject.domain();
    levels.push_back(losses.largest([&](const PairLosses::Visit& visit) {
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

std::vector<InputLevel> compute_cdp(MeasuredModel& subject, const std::vector<std::size_t>& coordinates) {
  if (!branches_of(subject.channel()).empty()) {
    return largest_input_levels(subject, [&](MeasuredModel& part) { return compute_cdp(part, coordinates); });
  }
  if (is_indivisible(subject.model())) return indivisible_cdp(subject, coordinates);
  const std::vector<Component> components = components_of(subject.model(), subject.budget());

  const auto assembled = [&](std::size_t component, const InputLevel* level) {
    Assembly assembly(subject.model(), components, subject.budget());
    for (std::size_t c = 0; c < components.size(); ++c) {
      if (level != nullptr && c == component) {
        assembly.place(c, *level);
      } else {
        assembly.place_any(c);
      }
    }
    return assembly;
  };
  std::vector<InputLevel> levels(coordinates.size());
  std::vector<bool> done(coordinates.size(), false);
  for (std::size_t c = 0; c < components.size(); ++c) {
    std::vector<std::size_t> wanted;  // positions in `coordinates`
    std::vector<std::size_t> own;     // the same coordinates within the component
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
      const auto& mine = components[c].coordinates;
      const auto place = std::find(mine.begin(), mine.end(), coordinates[k]);
      if (place == mine.end()) continue;
      wanted.push_back(k);
      own.push_back(static_cast<std::size_t>(place - mine.begin()));
    }
    if (wanted.empty()) continue;
    const std::vector<InputLevel> parts = component_cdp(components[c], own, subject.budget());
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      subject.budget().look();
      levels[wanted[k]] = assembled(c, &parts[k]).finish(parts[k].level);
      done[wanted[k]] = true;
    }
  }
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    if (done[k]) continue;
    subject.budget().look();
    Assembly assembly = assembled(components.size(), nullptr);
    assembly.set_digit(coordinates[k], 0, subject.domain().values(coordinates[k]) - 1);
    levels[k] = assembly.finish(Level());
  }
  return levels;
}

Decision decide_cdp(MeasuredModel& subject, const Arguments& arguments) {
  return decide_coordinates(subject.domain(), measured_cdp(subject), arguments.get<CoordinateLevels>("epsilon"));
}

Definition define_cdp(const Model& model, const Arguments& arguments, const LookedAt& inputs) {
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
  return subject.remember("cdp", [&] { return compute_cdp(subject, every_coordinate(subject.domain())); });
}

void expect_cdp(MeasuredModel& subject) {
  if (!is_indivisible(subject.model()) || !decided_by_columns(subject)) return;
  subject.expect(AlongCoordinates{every_coordinate(subject.domain())});
}

std::vector<MeasuredLevel> measured_cdp(MeasuredModel& subject) {
  std::vector<MeasuredLevel> levels;
  for (const InputLevel& level : cdp_levels(subject)) {
    subject.budget().look();  // a witness has two whole inputs
    levels.push_back(measured(subject.model(), level));
    levels.back().witness.coordinate = subject.domain().coordinate(levels.size() - 1).name;
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
          .expect = [](MeasuredModel& subject, const Arguments&) { expect_cdp(subject); }};
}

}  // namespace oddsbound::notions
