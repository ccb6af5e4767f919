// What tune found as JSON, and back.
#include <algorithm>

#include "results/document.h"
#include "results/spec_result_json.h"
#include "results/tune_result.h"

namespace oddsbound::results {

template <>
struct Codec<TunedValue> {
  static nlohmann::ordered_json write(const TunedValue& value) { return value.text(); }
  static TunedValue read(JsonView json, ReadingContext& context) {
    const ExpressionValue value =
        at_place(json, [&] { return context.parameters.evaluate(read_string(json, "a value")); });
    const bool logarithm = !value.under_log.is_one();
    const Surd& number = logarithm ? value.under_log : value.plain;
    if (value.infinite || !number.is_rational() || (logarithm && value.plain.sign() != 0)) {
      json.fail("found " + printable(json.text(), 40) + ", expected a rational number or the logarithm of one");
    }
    return {number.plain(), logarithm};
  }
};

template <typename Fields>
void describe(Fields& fields, TuneRange& range) {
  fields.object("a range");
  fields.field("from", range.from);
  fields.field("to", range.to);
  fields.field("from_open", range.from_open);
  fields.field("to_open", range.to_open);
}

namespace {

// Claims are read as those of the spec.
TunedPoint read_point(JsonView json, const SpecResult& spec, ReadingContext& context) {
  TunedPoint point;
  FieldReader fields(json, context);
  fields.object("a value of the parameter");
  fields.field("value", point.value);
  fields.field("on_grid", point.on_grid);
  fields.where(true, "reason", point.reason);
  for (const JsonView& claim : read_array(fields.members().require("claims"), "a list")) {
    point.claims.push_back(read_claim_result(claim, spec, point.claims.size(), context));
  }
  const JsonView verdict = fields.members().require("verdict");
  if (read_verdict(verdict, point.is_certain()) != point.verdict()) {
    verdict.fail("found '" + std::string(verdict.text()) + "', but the claims say otherwise");
  }
  return point;
}

nlohmann::ordered_json point_json(const TunedPoint& point) {
  FieldWriter fields;
  fields.field("value", point.value);
  fields.field("on_grid", point.on_grid);
  fields.derived("verdict", verdict_word(point.verdict(), point.is_certain()));
  fields.where(!point.reason.empty(), "reason", point.reason);
  nlohmann::ordered_json claims = nlohmann::ordered_json::array();
  for (const ClaimResult& claim : point.claims) claims.push_back(claim_json(claim));
  fields.derived("claims", std::move(claims));
  return fields.take();
}

nlohmann::ordered_json value_at(const TuneResult& result, std::optional<std::size_t> place) {
  return place ? written(result.points[*place].value) : nlohmann::ordered_json(nullptr);
}

void describe_points(FieldWriter& fields, const TuneResult& result) {
  fields.derived("holds_at", value_at(result, result.holds_at()));
  fields.derived("fails_at", value_at(result, result.fails_at()));
  nlohmann::ordered_json points = nlohmann::ordered_json::array();
  for (const TunedPoint& point : result.points) points.push_back(point_json(point));
  fields.derived("points", std::move(points));
}

void describe_points(FieldReader& fields, TuneResult& result) {
  SpecResult spec;
  spec.file = result.file;
  if (!result.symbols.empty()) spec.functions.emplace();
  const JsonView points = fields.members().require("points");
  for (const JsonView& point : read_array(points, "a list")) {
    result.points.push_back(read_point(point, spec, fields.context()));
    const std::size_t count = result.points.size();
    if (count > 1 && result.points[count - 2].value >= result.points[count - 1].value) {
      point.fail("values must stand in their order, each once");
    }
  }
  if (result.points.empty()) points.fail("found no value, expected at least one");
}

}  // namespace

template <typename Fields>
void describe(Fields& fields, TuneResult& result) {
  fields.object("what tune found");
  fields.field("parameter", result.parameter);
  fields.word("sought", result.smallest, {"largest", "smallest"});
  fields.field("file", result.file);
  fields.field("name", result.name);
  fields.where(!result.written.empty(), "written", result.written);
  fields.field("range", result.range);
  fields.field("width", result.width);
  fields.where(result.integers, "integers", result.integers);
  fields.where(!result.symbols.empty(), "symbols", result.symbols);
  fields.field("coordinates", result.coordinates);
  fields.field("files", result.files);
  if constexpr (!Fields::kReads) {
    if (result.confidential()) fields.derived("confidential", true);
  }
  fields.where(!result.notes.empty(), "notes", result.notes);
  fields.field("proven", result.proven);
  fields.where(!result.not_proven.empty(), "not_proven", result.not_proven);
  fields.where(result.proven_to_fail.has_value(), "proven_to_fail", result.proven_to_fail);
  describe_points(fields, result);
}

std::string to_json(const TuneResult& result) { return document_of(result); }

TuneResult tune_from_json(const JsonDocument& document, Budget& budget) {
  return read_document<TuneResult>(document, budget);
}

}  // namespace oddsbound::results
