#include <algorithm>
#include <map>

#include "specs/design_parts.h"
#include "specs/suggest.h"

namespace oddsbound::specs {

namespace {

// Where each of these names goes: to the one that stands in its place.
std::vector<std::size_t> read_permutation(JsonView value, const std::vector<std::string>& names, std::string_view of) {
  std::vector<std::size_t> places;
  for (const JsonView item : read_array(value, "a list of all " + std::string(of) + ", each where it goes")) {
    const std::string name = read_string(item, "one of the " + std::string(of));
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      item.fail("'" + printable(name) + "' is none of the " + std::string(of), suggestion(name, names));
    }
    const auto place = static_cast<std::size_t>(found - names.begin());
    if (std::find(places.begin(), places.end(), place) != places.end()) {
      item.fail("'" + printable(name) + "' is there twice: two would go to one place");
    }
    places.push_back(place);
  }
  if (places.size() != names.size()) {
    value.fail("found " + std::to_string(places.size()) + " of the " + std::to_string(names.size()) + " " +
               std::string(of) + ": where do the others go?");
  }
  return places;
}

using ValuePlaces = std::map<std::size_t, std::vector<std::size_t>>;  // by coordinate, where its values go

std::vector<std::string> moved(const Domain& domain, const std::vector<std::size_t>& coordinates,
                               std::vector<std::string> values, const ValuePlaces& places) {
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    const auto moves = places.find(coordinates[k]);
    if (moves == places.end()) continue;
    const std::vector<std::string>& names = domain.coordinate(coordinates[k]).values;
    const auto now = static_cast<std::size_t>(std::find(names.begin(), names.end(), values[k]) - names.begin());
    values[k] = names[moves->second[now]];
  }
  return values;
}

Symmetry read_symmetry(JsonView value, const Domain& domain, const DesignOutputs& outputs) {
  const Fields fields(value, {"values", "outputs"}, "a symmetry");
  ValuePlaces places;
  const JsonView values = fields.require("values");
  if (!values.is_object()) values.fail("expected attributes, each with a list of where its values go");
  for (const JsonView::Member& member : values.members()) {
    const std::size_t i = read_coordinate(member.key, domain);
    places[i] = read_permutation(member.value, domain.coordinate(i).values, "values");
  }
  Symmetry symmetry;
  std::map<std::vector<std::string>, std::uint64_t> number_of;
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) number_of[domain.tuple(x)] = x;
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
    symmetry.inputs.push_back(number_of.at(moved(domain, every_coordinate(domain), domain.tuple(x), places)));
  }
  if (outputs.values.empty()) {
    symmetry.outputs = read_permutation(fields.require("outputs"), outputs.labels, "outputs");
    return symmetry;
  }
  if (const auto listed = fields.find("outputs")) listed->fail("outputs that are values go where these go");
  for (const std::vector<std::string>& output : outputs.values) {
    const auto to =
        std::find(outputs.values.begin(), outputs.values.end(), moved(domain, outputs.released, output, places));
    symmetry.outputs.push_back(static_cast<std::size_t>(to - outputs.values.begin()));
  }
  return symmetry;
}

}  // namespace

std::vector<Symmetry> read_symmetries(JsonView value, const Domain& domain, const DesignOutputs& outputs) {
  std::vector<Symmetry> symmetries;
  for (const JsonView one : read_array(value, "symmetries")) symmetries.push_back(read_symmetry(one, domain, outputs));
  return symmetries;
}

}  // namespace oddsbound::specs
