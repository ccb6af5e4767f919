// JSON of a spec's result, in both directions: levels, and the data of figures.

#include "reports/spec_result_json.h"

#include <algorithm>
#include <set>

#include "reports/level_fields.h"
#include "reports/levels.h"
#include "specs/spec.h"
#include "verifier/notions/table.h"

namespace oddsbound::reports {

nlohmann::ordered_json Codec<ErrorPair>::write(const ErrorPair& errors) {
  return {written(errors.type_one), written(errors.type_two)};
}

ErrorPair Codec<ErrorPair>::read(JsonView json, ReadingContext& context) {
  const std::vector<JsonView> pair = read_array(json, "two errors");
  if (pair.size() != 2) json.fail("expected two errors");
  return {Share::read(pair[0], context), Share::read(pair[1], context)};
}

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

namespace {

using Json = nlohmann::ordered_json;
using Names = std::vector<std::string>;

constexpr std::size_t kMostDrawn = 64;  // above the limit for drawing (heat_maps.cpp)

void require_square(const ResultObject& object, const LossMatrix& losses) {
  const std::size_t sides = losses.sides.size();
  if (sides > kMostDrawn) object.require("sides").fail("expected at most " + std::to_string(kMostDrawn) + " sides");
  if (losses.among && *losses.among <= sides) object.require("among").fail("expected more than there are sides");
  const JsonView levels = object.require("levels");
  if (losses.loss.size() != sides) levels.fail("expected a row for every side");
  const std::vector<JsonView> rows = levels.items();
  for (std::size_t i = 0; i < sides; ++i) {
    if (losses.loss[i].size() != sides) rows[i].fail("expected a level for every side");
  }
}

}  // namespace

template <typename Fields>
void describe(Fields& fields, LossMatrix& losses) {
  fields.object("losses");
  fields.field("sides", losses.sides);
  fields.where(losses.among.has_value(), "among", losses.among);
  fields.field("levels", losses.loss);
  if constexpr (Fields::kReads) require_square(fields.members(), losses);
}

namespace {

// Levels whose key is their coordinate: witnesses do not repeat it.
struct LevelOfKey {
  static Json write(const MeasuredLevel& measured) {
    Json json = written(measured);
    if (!json["witness"].is_null()) json["witness"].erase("coordinate");
    return json;
  }
  static MeasuredLevel read(JsonView json, ReadingContext& context) {
    return Codec<MeasuredLevel>::read(json, context);
  }
};

void name_coordinate(MeasuredLevel& level, const std::string& coordinate) {
  level.witness.update([&](Witness& witness) { witness.coordinate = coordinate; });
}

}  // namespace

template <typename Fields>
void describe(Fields& fields, Analysis::OverSet& over) {
  fields.object("levels over a set of priors");
  fields.field("set", over.scope.for_all);
  fields.where(!over.scope.is_certain(), "confidence", over.scope.confidence);
  fields.where(over.confidential, "confidential", over.confidential);
  fields.template as<NamedCodec<NamedLevels, LevelOfKey>>("levels", over.levels);
  fields.where(!over.without.empty(), "without", over.without);
  if constexpr (Fields::kReads) {
    for (auto& [coordinate, level] : over.levels) name_coordinate(level, coordinate);
  }
}

namespace {

using Levels = std::vector<std::pair<std::string, Measured>>;

// by_notion: a notion without levels is null.
void describe_levels(FieldWriter& fields, const Names& names, const Levels& levels, bool by_notion) {
  for (const Notion& notion : notion_table()) {
    const auto found =
        std::find_if(levels.begin(), levels.end(), [&](const auto& level) { return level.first == notion.name; });
    const char* key = notion.name.c_str();
    if (found == levels.end()) {
      if (notion.measure && by_notion) fields.derived(key, Json(nullptr));
    } else if (const auto* level = std::get_if<MeasuredLevel>(&found->second)) {
      fields.field(key, *level);
    } else {
      fields.by_name<LevelOfKey>(key, names, std::get<std::vector<MeasuredLevel>>(found->second));
    }
  }
}

// Levels without a claim compare inputs or values, never everyone.
void require_two_sides(FieldReader& fields, const char* key, const MeasuredLevel& level) {
  if (!level.shows_something()) return;
  const Witness witness = level.witness.get();
  if (is_everyone(witness.from) || is_everyone(witness.to)) {
    fields.members().require(key).fail("expected two sides with as many values");
  }
}

void describe_levels(FieldReader& fields, const Names& names, Levels& levels, bool) {
  for (const Notion& notion : notion_table()) {
    const char* key = notion.name.c_str();
    if (!notion.measure || !fields.has(key)) continue;
    Measured& measured = levels.emplace_back(notion.name, MeasuredLevel()).second;
    if (notion.form != ClaimForm::kByCoordinate) {
      fields.field(key, std::get<MeasuredLevel>(measured));
      require_two_sides(fields, key, std::get<MeasuredLevel>(measured));
      continue;
    }
    auto& all = measured.emplace<std::vector<MeasuredLevel>>();
    fields.by_name<LevelOfKey>(key, names, all);
    for (std::size_t i = 0; i < names.size(); ++i) {
      name_coordinate(all[i], names[i]);
      require_two_sides(fields, key, all[i]);
    }
  }
}

// Null if there are none.
template <typename Fields, typename T>
void by_name_or_null(Fields& fields, const std::string& key, const Names& names, std::vector<T>& values) {
  if (fields.present(key.c_str(), !values.empty())) return fields.by_name(key.c_str(), names, values);
  fields.derived(key.c_str(), Json(nullptr));
}

// The first curve is between inputs, the others are between values.
template <typename Fields>
void describe_tradeoffs(Fields& fields, const Names& coordinates, std::vector<Tradeoff>& tradeoffs) {
  const std::string& inputs = notion_drawn(DrawnBeside::kInputs)->name;
  std::vector<Tradeoff> values;
  if constexpr (Fields::kReads) {
    tradeoffs.emplace_back();
  } else {
    values.assign(tradeoffs.begin() + 1, tradeoffs.end());
  }
  fields.field(inputs.c_str(), tradeoffs.at(0));
  by_name_or_null(fields, notion_drawn(DrawnBeside::kValues)->name, coordinates, values);
  if constexpr (Fields::kReads) {
    tradeoffs.at(0).of = inputs;
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i].of = coordinates[i];
      tradeoffs.push_back(std::move(values[i]));
    }
  }
}

// [i][j] as {name of i: {name of j: number}}, without the diagonal.
void describe_correlations(FieldWriter& fields, const Names& names, const std::vector<std::vector<Number>>& numbers) {
  Json between = nullptr;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Json& row = between[names[i]] = Json::object();
    for (std::size_t j = 0; j < names.size(); ++j) {
      if (i != j) row[names[j]] = written(numbers[i][j]);
    }
  }
  fields.derived("correlation_between", std::move(between));
}

void describe_correlations(FieldReader& fields, const Names& names, std::vector<std::vector<Number>>& numbers) {
  if (!fields.has("correlation_between")) return;
  const JsonView json = fields.members().require("correlation_between");
  if (names.size() > kMostDrawn) json.fail("expected at most " + std::to_string(kMostDrawn) + " coordinates");
  const ResultObject rows(json, "correlations");
  require_known(rows, names);
  for (const std::string& from : names) {
    const ResultObject cells(rows.require(from), "correlations");
    std::vector<Number>& row = numbers.emplace_back();
    for (const std::string& to : names) {
      row.push_back(from == to ? Number(0) : Share::read(cells.require(to), fields.context()));
    }
  }
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

template <typename Fields>
void describe_given_public(Fields& fields, SpecResult& spec, Analysis::GivenPublic& given) {
  fields.field("known", given.known);
  if constexpr (Fields::kReads) {
    if (given.known != spec.public_coordinates) {
      fields.members().require("known").fail("these are not the public coordinates");
    }
    for (const std::size_t i : secret_coordinates(spec)) given.others.push_back(spec.coordinates[i]);
  }
  describe_levels(fields, given.others, given.levels, false);
}

void describe_over_sets(FieldWriter& fields, const Names&, const std::vector<Analysis::OverSet>& over_sets) {
  std::vector<std::pair<std::string, Analysis::OverSet>> named;
  for (const Analysis::OverSet& over : over_sets) named.emplace_back(over.name, over);
  fields.field("for_all", named);
}

void describe_over_sets(FieldReader& fields, const Names& coordinates, std::vector<Analysis::OverSet>& over_sets) {
  std::vector<std::pair<std::string, Analysis::OverSet>> named;
  fields.field("for_all", named);
  for (auto& [name, over] : named) {
    over.name = name;
    for (const auto& [coordinate, level] : over.levels) {
      if (std::find(coordinates.begin(), coordinates.end(), coordinate) == coordinates.end()) {
        fields.members().require("for_all").fail("there is no coordinate '" + printable(coordinate, 40) + "'");
      }
    }
    over_sets.push_back(std::move(over));
  }
}

// Describes a value that documents have only if it exists.
template <typename Fields, typename T, typename Describe>
void if_any(Fields& fields, const char* key, std::optional<T>& value, Describe describe_value) {
  if (!fields.present(key, value.has_value())) return;
  describe_value(value ? *value : value.emplace());
}

template <typename Fields>
void describe_analysis(Fields& fields, SpecResult& spec) {
  fields.object("an analysis");
  if constexpr (Fields::kReads) {
    if (fields.has("symbols")) spec.functions.emplace();
    if (spec.coordinates.empty() && !spec.functions) spec.coordinates = coordinates_of(fields.members());
  }
  if (spec.functions) {
    fields.field("symbols", spec.functions->symbols);
    auto& undecided = spec.analysis.undecided;
    fields.where(!undecided.empty(), "undecided", undecided);
    if constexpr (Fields::kReads) spec.analyzed = fields.has("functions") || !undecided.empty();
    fields.where(spec.analyzed && undecided.empty(), "functions", spec.functions->entries);
    return;
  }
  const Names& names = spec.coordinates;
  Analysis& analysis = spec.analysis;
  describe_levels(fields, names, analysis.levels, true);
  fields.template by_name<Share>("correlation", names, analysis.correlation);
  fields.template by_name<LevelAlone>("proposition_4", names, analysis.proposition_4);
  const auto bounds = [&](const char* key, auto& values) {
    if_any(fields, key, values, [&](auto& all) { fields.template by_name<LevelAlone>(key, names, all); });
  };
  bounds("composition", analysis.composition);
  bounds("transport_bound", analysis.transport_bound);
  if_any(fields, "given_public", analysis.given_public, [&](auto& given) {
    fields.inner("given_public", [&](auto& inner) { describe_given_public(inner, spec, given); });
  });
  if (fields.present("for_all", !analysis.over_sets.empty())) {
    describe_over_sets(fields, names, analysis.over_sets);
  }
  fields.where(!analysis.tolerances.empty(), "tolerance", analysis.tolerances);
  if_any(fields, "tradeoff", analysis.tradeoffs, [&](auto& tradeoffs) {
    fields.inner("tradeoff", [&](auto& inner) { describe_tradeoffs(inner, names, tradeoffs); });
  });
  if_any(fields, "losses", spec.pairs, [&](HeatMaps& pairs) {
    fields.inner("losses", [&](auto& inner) {
      inner.field(notion_drawn(DrawnBeside::kInputs)->name.c_str(), pairs.inputs);
      by_name_or_null(inner, notion_drawn(DrawnBeside::kValues)->name, names, pairs.values);
    });
    describe_correlations(fields, names, pairs.correlation);
  });
  fields.where(!analysis.undecided.empty(), "undecided", analysis.undecided);
}

// A count is a JSON number up to 2^53, which every reader holds exactly, else a string of digits.
struct Count {
  static Json write(const Number& count) {
    std::int64_t value = 0;
    constexpr std::int64_t kLargestExact = std::int64_t{1} << 53;
    if (count.fits_int64(value) && value <= kLargestExact) return value;
    return count.to_string();
  }
  static Number read(JsonView json, ReadingContext& context) {
    if (!json.is_string() && json.kind() != JsonKind::kNumber) {
      json.fail("found " + json.kind_name() + ", expected a count");
    }
    Number number = read_number(json, context);
    if (number.is_integer() && number.sign() >= 0) return number;
    json.fail("found '" + printable(json.text(), 40) + "', expected a count");
  }
};

void describe_analysis_or_null(FieldWriter& fields, SpecResult& spec) {
  if (!spec.analyzed && !spec.functions) return fields.derived("analysis", Json(nullptr));
  fields.inner("analysis", [&](auto& inner) { describe_analysis(inner, spec); });
}

void describe_analysis_or_null(FieldReader& fields, SpecResult& spec) {
  const std::vector<JsonView::Member>& members = fields.members().members();
  spec.analyzed = std::none_of(members.begin(), members.end(), [](const JsonView::Member& member) {
    return member.key.text() == "analysis" && member.value.kind() == JsonKind::kNull;
  });
  if (spec.analyzed) fields.inner("analysis", [&](auto& inner) { describe_analysis(inner, spec); });
}

template <typename Fields>
void describe_rounding(Fields& fields, RowTolerance& rounding) {
  fields.object("a row tolerance");
  fields.field("tolerance", rounding.tolerance);
  fields.field("exact_zeros", rounding.exact_zeros);
  if constexpr (Fields::kReads) {
    if (is_row_tolerance(rounding.tolerance)) return;
    fields.members().require("tolerance").fail("expected a rational number above 0 and below 1");
  }
}

template <typename Fields>
void describe_spec(Fields& fields, SpecResult& spec) {
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
  if_any(fields, "row_tolerance", spec.row_tolerance, [&](RowTolerance& rounding) {
    fields.inner("row_tolerance", [&](auto& inner) { describe_rounding(inner, rounding); });
  });
  fields.where(spec.confidential, "confidential", spec.confidential);
  fields.where(spec.confidential_prior, "confidential_prior", spec.confidential_prior);
  fields.where(spec.unlisted, "unlisted", spec.unlisted);
  fields.where(!spec.certificate_file.empty(), "certificate", spec.certificate_file);
  if constexpr (Fields::kReads) {
    if (std::set(spec.coordinates.begin(), spec.coordinates.end()).size() != spec.coordinates.size()) {
      fields.members().require("coordinates").fail("expected coordinates of different names");
    }
  }
  fields.template as<Count>("inputs", spec.inputs);
  fields.template as<Count>("outputs", spec.outputs);
  describe_analysis_or_null(fields, spec);
  if_any(fields, "effects", spec.effects, [&](Effects& effects) {
    fields.inner("effects", [&](auto& inner) { describe_effects(inner, effects, spec.coordinates); });
  });
  fields.list("claims", spec.claims, [&](auto& inner, ClaimResult& claim) {
    if constexpr (Fields::kReads) claim.index = spec.claims.size();
    describe_claim(inner, claim, spec.file, spec.functions.has_value());
  });
  fields.where(spec.processor_seconds.has_value(), "processor_seconds", spec.processor_seconds);
}

}  // namespace

void describe(FieldWriter& fields, SpecResult& spec) { describe_spec(fields, spec); }
void describe(FieldReader& fields, SpecResult& spec) { describe_spec(fields, spec); }

}  // namespace oddsbound::reports
