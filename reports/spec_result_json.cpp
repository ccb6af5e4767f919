// JSON of a spec's result, in both directions: levels, and the data of figures.

#include "reports/spec_result_json.h"

#include <algorithm>
#include <set>

#include "reports/fields.h"
#include "reports/json_parts.h"
#include "verifier/notions/table.h"

namespace oddsbound::reports {

template <typename Fields>
void describe(Fields& fields, Tolerance::Within::LevelAt& level) {
  fields.object("a level at a size");
  fields.field("size", level.size);
  fields.field("level", level.at_least);
  fields.where(level.at_most.has_value(), "at_most", level.at_most);
}

template <typename Fields>
void describe(Fields& fields, Tolerance::Within& within) {
  fields.object("a tolerance");
  fields.word("set", within.set, kGrowingWords);
  fields.field("holds", within.holds);
  fields.where(within.fails.has_value(), "fails", within.fails);
  fields.where(!within.levels.empty(), "levels", within.levels);
}

template <typename Fields>
void describe(Fields& fields, Tolerance& tolerance) {
  fields.object("tolerances");
  fields.field("coordinate", tolerance.coordinate);
  fields.field("claimed", tolerance.claimed);
  fields.field("within", tolerance.within);
}

template <typename Fields>
void describe(Fields& fields, LossMatrix& losses) {
  fields.object("losses");
  fields.field("sides", losses.sides);
  fields.where(losses.among.has_value(), "among", losses.among);
  fields.field("levels", losses.loss);
}

namespace {

using Json = nlohmann::ordered_json;
using Names = std::vector<std::string>;

constexpr std::size_t kMostDrawn = 64;  // above the limit for drawing (heat_maps.cpp)

// {coordinate: value}
template <typename T, typename Write>
Json by_coordinate(const Names& coordinates, const std::vector<T>& values, Write write) {
  Json json = Json::object();
  for (std::size_t i = 0; i < coordinates.size(); ++i) json[coordinates[i]] = write(values[i]);
  return json;
}

// Throws SpecError at a key that is not a coordinate: it would be lost.
void require_coordinates(const ResultObject& object, const Names& coordinates) {
  const std::set<std::string_view> known(coordinates.begin(), coordinates.end());
  for (const JsonView::Member& member : object.members()) {
    if (!known.contains(member.key.text())) member.key.fail("this is none of the coordinates");
  }
}

// Reads values in the order of the coordinates; `read` gets a value and the coordinate's name.
template <typename Read>
auto read_by_coordinate(JsonView json, const Names& coordinates, Read read) {
  const ResultObject object(json, "values by coordinate");
  require_coordinates(object, coordinates);
  std::vector<decltype(read(json, coordinates[0]))> values;
  for (const std::string& name : coordinates) values.push_back(read(object.require(name), name));
  return values;
}

// The key already names the level's coordinate.
Json level_of_key(const MeasuredLevel& measured) {
  Json json = written(measured);
  if (!json["witness"].is_null()) json["witness"].erase("coordinate");
  return json;
}

Json measured_json(const Names& coordinates, const Measured& measured) {
  if (const auto* level = std::get_if<MeasuredLevel>(&measured)) return written(*level);
  return by_coordinate(coordinates, std::get<std::vector<MeasuredLevel>>(measured), level_of_key);
}

Json over_sets_json(const std::vector<Analysis::OverSet>& over_sets) {
  Json json = Json::object();
  for (const Analysis::OverSet& over : over_sets) {
    FieldWriter fields;
    fields.field("set", over.scope.for_all);
    fields.where(!over.scope.is_certain(), "confidence", over.scope.confidence);
    fields.where(over.confidential, "confidential", over.confidential);
    Json levels = Json::object();
    for (const auto& [coordinate, level] : over.levels) levels[coordinate] = level_of_key(level);
    fields.derived("levels", std::move(levels));
    fields.where(!over.without.empty(), "without", over.without);
    json[over.name] = fields.take();
  }
  return json;
}

Json tradeoffs_json(const std::vector<Tradeoff>& tradeoffs) {
  Json json{{"ldp", tradeoff_json(tradeoffs.at(0))}, {"bcdp", nullptr}};
  for (std::size_t i = 1; i < tradeoffs.size(); ++i) json["bcdp"][tradeoffs[i].of] = tradeoff_json(tradeoffs[i]);
  return json;
}

void write_pairs(FieldWriter& fields, const HeatMaps& pairs, const Names& coordinates) {
  Json losses{{"ldp", written(pairs.inputs)}, {"bcdp", nullptr}};
  for (std::size_t i = 0; i < pairs.values.size(); ++i) losses["bcdp"][coordinates[i]] = written(pairs.values[i]);
  fields.derived("losses", std::move(losses));
  Json between = nullptr;
  for (std::size_t i = 0; i < pairs.correlation.size(); ++i) {
    Json& row = between[coordinates[i]] = Json::object();
    for (std::size_t j = 0; j < coordinates.size(); ++j) {
      if (i != j) row[coordinates[j]] = written(pairs.correlation[i][j]);
    }
  }
  fields.derived("correlation_between", std::move(between));
}

Json analysis_json(const SpecResult& spec) {
  if (spec.functions) {
    Json json{{"symbols", spec.functions->symbols}};
    if (!spec.analysis.undecided.empty()) {
      json["undecided"] = spec.analysis.undecided;
    } else if (spec.analyzed) {
      json["functions"] = spec.functions->entries;
    }
    return json;
  }
  if (!spec.analyzed) return nullptr;
  const Analysis& analysis = spec.analysis;
  FieldWriter fields;
  for (const Notion& notion : notion_table()) {
    if (!notion.measure) continue;
    const auto found = std::find_if(analysis.levels.begin(), analysis.levels.end(),
                                    [&](const auto& level) { return level.first == notion.name; });
    fields.derived(notion.name.c_str(),
                   found == analysis.levels.end() ? Json(nullptr) : measured_json(spec.coordinates, found->second));
  }
  const auto numbers = [&](const auto& values) {
    return by_coordinate(spec.coordinates, values, [](const Number& number) { return written(number); });
  };
  fields.derived("correlation", analysis.correlation ? numbers(*analysis.correlation) : Json(nullptr));
  fields.derived("proposition_4", analysis.proposition_4
                                      ? by_coordinate(spec.coordinates, *analysis.proposition_4, level_alone)
                                      : Json(nullptr));
  if (analysis.composition) {
    fields.derived("composition", by_coordinate(spec.coordinates, *analysis.composition, level_alone));
  }
  if (analysis.transport_bound) {
    fields.derived("transport_bound", by_coordinate(spec.coordinates, *analysis.transport_bound, [](const auto& bound) {
                     return bound ? level_alone(*bound) : Json(nullptr);
                   }));
  }
  if (analysis.given_public) {
    Json given{{"known", analysis.given_public->known}};
    for (const auto& [notion, measured] : analysis.given_public->levels) {
      given[notion] = measured_json(analysis.given_public->others, measured);
    }
    fields.derived("given_public", std::move(given));
  }
  if (!analysis.over_sets.empty()) fields.derived("for_all", over_sets_json(analysis.over_sets));
  if (!analysis.tolerances.empty()) fields.field("tolerance", analysis.tolerances);
  if (analysis.tradeoffs) fields.derived("tradeoff", tradeoffs_json(*analysis.tradeoffs));
  if (spec.pairs) write_pairs(fields, *spec.pairs, spec.coordinates);
  fields.where(!analysis.undecided.empty(), "undecided", analysis.undecided);
  return fields.take();
}

LossMatrix read_losses(JsonView json, ReadingContext& context) {
  LossMatrix losses = Codec<LossMatrix>::read(json, context);
  const ResultObject object(json, "losses");
  const std::size_t sides = losses.sides.size();
  if (sides > kMostDrawn) object.require("sides").fail("expected at most " + std::to_string(kMostDrawn) + " sides");
  if (losses.among && *losses.among <= sides) object.require("among").fail("expected more than there are sides");
  const JsonView levels = object.require("levels");
  if (losses.loss.size() != sides) levels.fail("expected a row for every side");
  const std::vector<JsonView> rows = levels.items();
  for (std::size_t i = 0; i < sides; ++i) {
    if (losses.loss[i].size() != sides) rows[i].fail("expected a level for every side");
  }
  return losses;
}

HeatMaps read_pairs(JsonView json, const ResultObject& analysis, const Names& coordinates, ReadingContext& context) {
  const ResultObject losses(json, "losses");
  HeatMaps pairs;
  if (const auto inputs = losses.find("ldp")) pairs.inputs = read_losses(*inputs, context);
  if (const auto values = losses.find("bcdp")) {
    const ResultObject object(*values, "losses by coordinate");
    require_coordinates(object, coordinates);
    for (const std::string& name : coordinates) {
      const auto own = object.find(name);
      pairs.values.push_back(own ? std::optional(read_losses(*own, context)) : std::nullopt);
    }
  }
  const auto between = analysis.find("correlation_between");
  if (!between) return pairs;
  if (coordinates.size() > kMostDrawn) {
    between->fail("expected at most " + std::to_string(kMostDrawn) + " coordinates");
  }
  pairs.correlation = read_by_coordinate(*between, coordinates, [&](JsonView row, const std::string& from) {
    const ResultObject cells(row, "correlations");
    std::vector<Number> numbers;
    for (const std::string& to : coordinates) {
      numbers.push_back(from == to ? Number(0) : read_share(cells.require(to), context));
    }
    return numbers;
  });
  return pairs;
}

// Documents of earlier versions do not list the coordinates; the first notion with levels by coordinate names them.
Names coordinates_of(const ResultObject& analysis) {
  Names names;
  for (const Notion& notion : notion_table()) {
    const auto found = analysis.find(notion.name);
    if (!notion.measure || notion.form != ClaimForm::kByCoordinate || !found) continue;
    for (const JsonView::Member& member : ResultObject(*found, "levels by coordinate").members()) {
      names.emplace_back(member.key.text());
    }
    return names;
  }
  return names;
}

MeasuredLevel read_level_of_key(JsonView json, const std::string& coordinate, ReadingContext& context) {
  MeasuredLevel level = Codec<MeasuredLevel>::read(json, context);
  level.witness.update([&](Witness& witness) { witness.coordinate = coordinate; });
  return level;
}

std::vector<Analysis::OverSet> read_over_sets(JsonView json, const Names& coordinates, ReadingContext& context) {
  std::vector<Analysis::OverSet> over_sets;
  for (const JsonView::Member& member : ResultObject(json, "levels over sets of priors").members()) {
    Analysis::OverSet& over = over_sets.emplace_back();
    over.name = std::string(member.key.text());
    FieldReader fields(member.value, context);
    fields.object("levels over a set of priors");
    fields.field("set", over.scope.for_all);
    fields.newer("confidence", over.scope.confidence);
    fields.newer("confidential", over.confidential);
    fields.newer("without", over.without);
    for (const JsonView::Member& level : ResultObject(fields.members().require("levels"), "levels").members()) {
      const std::string name(level.key.text());
      if (std::find(coordinates.begin(), coordinates.end(), name) == coordinates.end()) {
        level.value.fail("there is no coordinate '" + printable(name, 40) + "'");
      }
      over.levels.emplace_back(name, read_level_of_key(level.value, name, context));
    }
  }
  return over_sets;
}

std::vector<std::pair<std::string, Measured>> read_levels(const ResultObject& json, const Names& coordinates,
                                                          ReadingContext& context) {
  std::vector<std::pair<std::string, Measured>> levels;
  for (const Notion& notion : notion_table()) {
    const auto found = notion.measure ? json.find(notion.name) : std::nullopt;
    if (!found) continue;
    if (notion.form != ClaimForm::kByCoordinate) {
      levels.emplace_back(notion.name, Codec<MeasuredLevel>::read(*found, context));
      continue;
    }
    levels.emplace_back(notion.name,
                        read_by_coordinate(*found, coordinates, [&](JsonView one, const std::string& name) {
                          return read_level_of_key(one, name, context);
                        }));
  }
  return levels;
}

Analysis::GivenPublic read_given_public(JsonView json, const SpecResult& spec, ReadingContext& context) {
  const ResultObject object(json, "levels given what is public");
  Analysis::GivenPublic given{result_strings(object.require("known"), "coordinates"), {}, {}};
  if (given.known != spec.public_coordinates) object.require("known").fail("these are not the public coordinates");
  for (const std::string& name : spec.coordinates) {
    if (!spec.is_public(name)) given.others.push_back(name);
  }
  given.levels = read_levels(object, given.others, context);
  return given;
}

void read_analysis(JsonView json, SpecResult& spec, ReadingContext& context) {
  const ResultObject object(json, "an analysis");
  if (const auto symbols = object.find("symbols")) {
    spec.functions = Functions{result_strings(*symbols, "symbols"), {}};
    const auto entries = object.find("functions"), undecided = object.find("undecided");
    spec.analyzed = entries || undecided;
    if (entries) spec.functions->entries = result_strings(*entries, "functions");
    if (undecided) spec.analysis.undecided = Codec<std::map<std::string, std::string>>::read(*undecided, context);
    return;
  }
  if (spec.coordinates.empty()) spec.coordinates = coordinates_of(object);
  Analysis& analysis = spec.analysis;
  analysis.levels = read_levels(object, spec.coordinates, context);
  if (const auto given = object.find("given_public")) {
    analysis.given_public = read_given_public(*given, spec, context);
  }
  if (const auto found = object.find("for_all")) {
    analysis.over_sets = read_over_sets(*found, spec.coordinates, context);
  }
  if (const auto found = object.find("tolerance")) {
    analysis.tolerances = Codec<std::vector<Tolerance>>::read(*found, context);
  }
  const auto by_name = [&](const char* key, auto read) -> std::optional<std::vector<decltype(read(json))>> {
    const auto found = object.find(key);
    if (!found) return std::nullopt;
    return read_by_coordinate(*found, spec.coordinates, [&](JsonView one, const std::string&) { return read(one); });
  };
  analysis.correlation = by_name("correlation", [&](JsonView one) { return read_share(one, context); });
  analysis.proposition_4 = by_name("proposition_4", [&](JsonView one) { return read_level_alone(one, context); });
  analysis.composition = by_name("composition", [&](JsonView one) { return read_level_alone(one, context); });
  if (const auto found = object.find("transport_bound")) {
    const ResultObject bounds(*found, "bounds by coordinate");
    require_coordinates(bounds, spec.coordinates);
    analysis.transport_bound.emplace();
    for (const std::string& name : spec.coordinates) {
      const auto bound = bounds.find(name);
      analysis.transport_bound->push_back(bound ? std::optional(read_level_alone(*bound, context)) : std::nullopt);
    }
  }
  if (const auto found = object.find("tradeoff")) {
    const ResultObject curves(*found, "trade-off curves");
    analysis.tradeoffs.emplace().push_back(read_tradeoff(curves.require("ldp"), "ldp", context));
    if (const auto values = curves.find("bcdp")) {
      for (Tradeoff& curve : read_by_coordinate(*values, spec.coordinates, [&](JsonView one, const std::string& name) {
             return read_tradeoff(one, name, context);
           })) {
        analysis.tradeoffs->push_back(std::move(curve));
      }
    }
  }
  if (const auto found = object.find("losses")) spec.pairs = read_pairs(*found, object, spec.coordinates, context);
  if (const auto found = object.find("undecided")) {
    analysis.undecided = Codec<std::map<std::string, std::string>>::read(*found, context);
  }
}

// A count is a JSON number up to 2^53, which every reader holds exactly, else a string of digits.
Json count_json(const Number& count) {
  std::int64_t value = 0;
  constexpr std::int64_t kLargestExact = std::int64_t{1} << 53;
  if (count.fits_int64(value) && value <= kLargestExact) return value;
  return count.to_string();
}

template <typename Fields>
void describe_head(Fields& fields, SpecResult& spec) {
  fields.object("a spec's result");
  fields.field("file", spec.file);
  fields.field("name", spec.name);
  fields.newer("description", spec.description);
  fields.newer("source", spec.source);
  fields.newer("files", spec.files);
  fields.newer("coordinates", spec.coordinates);
  fields.where(!spec.public_coordinates.empty(), "public", spec.public_coordinates);
  fields.where(!spec.notes.empty(), "notes", spec.notes);
  fields.where(!spec.tables.empty(), "tables", spec.tables);
  fields.where(spec.confidential, "confidential", spec.confidential);
  fields.where(spec.confidential_prior, "confidential_prior", spec.confidential_prior);
  fields.where(spec.unlisted, "unlisted", spec.unlisted);
  fields.where(!spec.certificate_file.empty(), "certificate", spec.certificate_file);
}

}  // namespace

Number read_share(JsonView json, ReadingContext& context) {
  const Number number = read_number(json, context);
  if (number.sign() >= 0 && number <= Number(1)) return number;
  json.fail("found '" + printable(json.text(), 40) + "', expected a probability");
}

Json tradeoff_json(const Tradeoff& tradeoff) {
  Json vertices = Json::array();
  for (const ErrorPair& vertex : tradeoff.vertices) {
    vertices.push_back({vertex.type_one.to_string(), vertex.type_two.to_string()});
  }
  return {{"from", written(tradeoff.from)}, {"to", written(tradeoff.to)}, {"vertices", vertices}};
}

Tradeoff read_tradeoff(JsonView json, const std::string& of, ReadingContext& context) {
  const ResultObject object(json, "a trade-off curve");
  Tradeoff curve{
      of, Codec<Label>::read(object.require("from"), context), Codec<Label>::read(object.require("to"), context), {}};
  for (const JsonView& vertex : read_array(object.require("vertices"), "vertices")) {
    const std::vector<JsonView> pair = read_array(vertex, "two errors");
    if (pair.size() != 2) vertex.fail("expected two errors");
    curve.vertices.push_back({read_share(pair[0], context), read_share(pair[1], context)});
  }
  return curve;
}

Json spec_json(const SpecResult& spec) {
  FieldWriter fields;
  describe_head(fields, const_cast<SpecResult&>(spec));
  fields.derived("inputs", count_json(spec.inputs));
  fields.derived("outputs", spec.outputs ? count_json(*spec.outputs) : Json(nullptr));
  fields.derived("analysis", analysis_json(spec));
  if (spec.effects) fields.derived("effects", effects_json(*spec.effects, spec.coordinates));
  Json claims = Json::array();
  for (const ClaimResult& claim : spec.claims) claims.push_back(claim_json(claim));
  fields.derived("claims", std::move(claims));
  if (spec.processor_seconds) fields.field("processor_seconds", *spec.processor_seconds);
  return fields.take();
}

SpecResult read_spec_result(JsonView json, ReadingContext& context) {
  SpecResult spec;
  FieldReader fields(json, context);
  describe_head(fields, spec);
  const ResultObject& object = fields.members();
  if (std::set(spec.coordinates.begin(), spec.coordinates.end()).size() != spec.coordinates.size()) {
    object.require("coordinates").fail("expected coordinates of different names");
  }
  const auto count = [&](JsonView value) {
    if (!value.is_string() && value.kind() != JsonKind::kNumber) {
      value.fail("found " + value.kind_name() + ", expected a count");
    }
    Number number = read_number(value, context);
    if (!number.is_integer() || number.sign() < 0) {
      value.fail("found '" + printable(value.text(), 40) + "', expected a count");
    }
    return number;
  };
  spec.inputs = count(object.require("inputs"));
  if (object.find("processor_seconds")) fields.field("processor_seconds", spec.processor_seconds.emplace());
  if (const auto outputs = object.find("outputs")) spec.outputs = count(*outputs);
  const std::vector<JsonView::Member> members = object.members();
  spec.analyzed = std::none_of(members.begin(), members.end(), [](const JsonView::Member& member) {
    return member.key.text() == "analysis" && member.value.kind() == JsonKind::kNull;
  });
  if (spec.analyzed) read_analysis(object.require("analysis"), spec, context);
  if (const auto effects = object.find("effects")) spec.effects = read_effects(*effects, spec.coordinates, context);
  for (const JsonView& claim : read_array(object.require("claims"), "claims")) {
    spec.claims.push_back(read_claim_result(claim, spec, spec.claims.size(), context));
  }
  return spec;
}

}  // namespace oddsbound::reports
