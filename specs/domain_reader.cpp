#include "specs/spec_parts.h"

#include <unordered_set>

namespace oddsbound::specs {

namespace {

Coordinate read_one(JsonView value, Budget& budget) {
  const Fields fields(value, {"name", "values", "size"}, "a coordinate");
  Coordinate coordinate;
  coordinate.name = read_string(fields.require("name"), "the name of a coordinate");
  if (coordinate.name.empty()) fields.require("name").fail("a coordinate needs a name that is not empty");
  if (fields.has("values") == fields.has("size")) {
    value.fail("a coordinate has either 'values' or 'size'");
  }
  if (const auto size = fields.find("size")) {
    const auto most = static_cast<std::int64_t>(budget.limits().max_inputs);
    if (size->kind() == JsonKind::kNumber) {
      const Number number = at_place(*size, [&] { return parse_number(size->text()); });
      if (number > Number(most)) {
        size->fail("the domain has more inputs than may be held (--max-inputs " + std::to_string(most) + ")");
      }
    }
    const std::int64_t count = read_integer(*size, "the number of values", 1, most);
    for (std::int64_t v = 0; v < count; ++v) {
      budget.tick();
      coordinate.values.push_back(std::to_string(v));
    }
    return coordinate;
  }
  std::unordered_set<std::string_view> seen;
  for (const JsonView item : read_array(*fields.find("values"), "values")) {
    budget.tick();
    coordinate.values.push_back(read_string(item, "a value"));
    if (!seen.insert(item.text()).second) item.fail("the value '" + printable(item.text()) + "' is listed twice");
  }
  if (coordinate.values.empty()) fields.find("values")->fail("a coordinate needs at least one value");
  return coordinate;
}

}  // namespace

Domain read_domain(JsonView value, Budget& budget) {
  std::vector<Coordinate> coordinates;
  std::unordered_set<std::string> names;
  for (const JsonView item : read_array(value, "coordinates")) {
    coordinates.push_back(read_one(item, budget));
    if (!names.insert(coordinates.back().name).second) {
      item.fail("two coordinates are called '" + printable(coordinates.back().name) + "'");
    }
  }
  if (coordinates.empty()) value.fail("a domain needs at least one coordinate");
  return at_place(value, [&] { return Domain(std::move(coordinates)); });
}

}  // namespace oddsbound::specs
