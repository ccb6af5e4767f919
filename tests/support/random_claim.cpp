#include "tests/support/random_claim.h"

#include <algorithm>
#include <utility>

namespace oddsbound::testing {

namespace {

// A convex curve of three points.
Table random_curve(Random& random) {
  const Number start = Number::ratio(static_cast<std::int64_t>(1 + below(random, 4)), 4);
  const Number x = Number::ratio(static_cast<std::int64_t>(1 + below(random, 3)), 4);
  const Number y = start * (Number(1) - x) * Number::ratio(static_cast<std::int64_t>(below(random, 3)), 2);
  return {{{Number(0), start}, {x, y}, {Number(1), Number(0)}}};
}

}  // namespace

Arguments random_claim(const Notion& notion, const Domain& domain, Random& random) {
  Arguments arguments;
  bool about_labels = false;
  for (const Field& field : notion.fields) {
    const bool some = field.required || below(random, 2) == 0;
    const std::uint64_t inputs = domain.inputs();
    if (!some) continue;
    switch (field.kind) {
      case FieldKind::kLevel:
      case FieldKind::kLevelOrByCoordinate:
        arguments.set(field.name,
                      Level::of_exponential(Number::ratio(3 + static_cast<std::int64_t>(below(random, 6)), 3)));
        break;
      case FieldKind::kProbability:
        arguments.set(field.name, Number::ratio(static_cast<std::int64_t>(below(random, 5)), 4));
        break;
      case FieldKind::kInteger: arguments.set(field.name, static_cast<std::int64_t>(2 + below(random, 3))); break;
      case FieldKind::kPoints: arguments.set(field.name, random_curve(random)); break;
      case FieldKind::kInputs: arguments.set(field.name, Inputs{{below(random, inputs)}}); break;
      case FieldKind::kNeighbors:
        if (below(random, 2) == 0) arguments.set(field.name, std::string("coordinate"));
        break;
      case FieldKind::kCoordinate:
        about_labels = true;
        arguments.set(field.name, Coordinates{{static_cast<std::size_t>(below(random, domain.size()))}});
        break;
      case FieldKind::kSecret: {
        if (about_labels) break;
        std::vector<std::uint32_t> label_of;
        for (std::uint64_t x = 0; x < inputs; ++x) label_of.push_back(static_cast<std::uint32_t>(below(random, 2)));
        arguments.set(field.name, Secret{{Label(std::string("even")), Label(std::string("odd"))},
                                         Partition::by_label(domain, std::move(label_of), 2)});
        break;
      }
      default: break;
    }
  }
  const auto needs_values = [](const Field& field) { return field.kind == FieldKind::kParties && field.required; };
  const auto values = std::find_if(notion.fields.begin(), notion.fields.end(), needs_values);
  if (values != notion.fields.end() && !arguments.has("secret")) {
    if (!arguments.has("coordinate")) arguments.set("coordinate", Coordinates{{0}});
    const std::size_t coordinate = arguments.get<Coordinates>("coordinate").coordinates[0];
    arguments.set(values->name, Parties{{Label(domain.coordinate(coordinate).values[0])}});
  } else if (values != notion.fields.end()) {
    arguments.set(values->name, Parties{{Label(std::string("even"))}});
  }
  return arguments;
}

bool is_complete(const Notion& notion, const Domain& domain, const Arguments& arguments) {
  const bool has_all = std::all_of(notion.fields.begin(), notion.fields.end(),
                                   [&](const Field& field) { return !field.required || arguments.has(field.name); });
  return has_all && (!notion.complaint || !notion.complaint(domain, arguments));
}

bool set_to_actual(Arguments& arguments, const Notion& notion, const Decision& decision) {
  const std::string field = bounds_of(notion, arguments).at(0);
  if (const auto* number = std::get_if<MeasuredNumber>(&decision.actual)) {
    arguments.set(field, number->at_most());
    return !number->unfinished;
  }
  const auto* average = std::get_if<Average>(&decision.actual);
  const MeasuredLevel* level = average != nullptr ? &average->level : single_level(decision.actual);
  if (level == nullptr) return false;
  arguments.set(field, level->at_most());
  return !level->unfinished;
}

}  // namespace oddsbound::testing
