#include <algorithm>
#include <unordered_set>

#include "specs/spec_parts.h"

namespace oddsbound::specs {

namespace {

constexpr std::string_view kFromPrior = "from prior";

void read_size(JsonView size, Coordinate& coordinate, Budget& budget) {
  const auto most = static_cast<std::int64_t>(budget.limits().max_inputs);
  if (size.kind() == JsonKind::kNumber) {
    const Number number = at_place(size, [&] { return parse_number(size.text()); });
    if (number > Number(most)) {
      size.fail("the domain has more inputs than may be held (--max-inputs " + std::to_string(most) + ")");
    }
  }
  const std::int64_t count = read_integer(size, "the number of values", 1, most);
  for (std::int64_t v = 0; v < count; ++v) {
    budget.tick();
    coordinate.values.push_back(std::to_string(v));
  }
}

// Whether the values are those of the prior's table.
bool read_values(JsonView values, Coordinate& coordinate, Budget& budget) {
  if (values.is_string()) {
    if (values.text() == kFromPrior) return true;
    values.fail("found '" + printable(values.text(), 40) + R"(', expected an array of values, or "from prior")");
  }
  std::unordered_set<std::string_view> seen;
  for (const JsonView item : read_array(values, "values")) {
    budget.tick();
    coordinate.values.push_back(read_string(item, "a value"));
    if (!seen.insert(item.text()).second) item.fail("the value '" + printable(item.text()) + "' is listed twice");
  }
  if (coordinate.values.empty()) values.fail("a coordinate needs at least one value");
  return false;
}

void read_one(JsonView value, Budget& budget, DomainDraft& draft) {
  const Fields fields(value, {"name", "values", "size", "public"}, "a coordinate");
  Coordinate coordinate;
  coordinate.name = read_string(fields.require("name"), "the name of a coordinate");
  if (coordinate.name.empty()) fields.require("name").fail("a coordinate needs a name that is not empty");
  if (const auto known = fields.find("public"))
    coordinate.is_public = read_boolean(*known, "whether everybody knows it");
  if (fields.has("values") == fields.has("size")) {
    value.fail("a coordinate has either 'values' or 'size'");
  }
  const auto values = fields.find("values");
  if (!values) read_size(fields.require("size"), coordinate, budget);
  const bool from_prior = values && read_values(*values, coordinate, budget);
  draft.coordinates.push_back(std::move(coordinate));
  draft.from_prior.push_back(from_prior ? values : std::nullopt);
}

DomainDraft read_draft(JsonView value, Budget& budget) {
  DomainDraft draft;
  std::unordered_set<std::string> names;
  for (const JsonView item : read_array(value, "coordinates")) {
    read_one(item, budget, draft);
    const std::string& name = draft.coordinates.back().name;
    if (!names.insert(name).second) item.fail("two coordinates are called '" + printable(name) + "'");
  }
  if (draft.coordinates.empty()) value.fail("a domain needs at least one coordinate");
  return draft;
}

// The first of those whose values come from the prior.
std::optional<JsonView> first_from_prior(const DomainDraft& draft) {
  const auto found = std::find_if(draft.from_prior.begin(), draft.from_prior.end(),
                                  [](const auto& place) { return place.has_value(); });
  return found == draft.from_prior.end() ? std::nullopt : *found;
}

}  // namespace

Domain read_listed_domain(JsonView value, Budget& budget) {
  DomainDraft draft = read_draft(value, budget);
  if (const auto place = first_from_prior(draft)) place->fail("the values have to be listed here: there is no prior");
  return at_place(value, [&] { return Domain(std::move(draft.coordinates)); });
}

DomainAndPrior read_domain_and_prior(const Fields& spec, ReadingContext& context, PriorWanted wanted) {
  const JsonView value = spec.require("domain");
  DomainDraft draft = read_draft(value, context.budget);
  const auto prior = spec.find("prior");
  const auto from_prior = first_from_prior(draft);
  if (!from_prior) {
    DomainAndPrior result{at_place(value, [&] { return Domain(std::move(draft.coordinates)); }), std::nullopt};
    if (prior && wanted == PriorWanted::kYes) result.prior = read_prior(*prior, result.domain, context);
    return result;
  }
  const std::string expected = R"("from prior" needs a prior of type 'csv', and )";
  if (!prior) from_prior->fail(expected + "the spec has none");
  if (const std::string type = read_type(*prior, "a prior"); type != "csv") {
    from_prior->fail(expected + "that of the spec is of type '" + printable(type, 40) + "'");
  }
  DomainAndPrior result = read_table(*prior, std::move(draft), context);
  result.values_from_prior = true;
  return result;
}

}  // namespace oddsbound::specs
