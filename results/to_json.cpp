#include "results/to_json.h"

#include "results/json_parts.h"
#include "results/words.h"
#include "verifier/exact/decimal.h"

namespace oddsbound {

namespace {

using Json = nlohmann::ordered_json;

Json witness_json(const Witness& witness, bool event = false) {
  Json json;
  if (!witness.coordinate.empty()) json["coordinate"] = witness.coordinate;
  if (event) {
    json["outputs"] = witness.outputs;
  } else {
    json["output"] = witness.outputs.at(0);
  }
  json["from"] = party_json(witness.from);
  json["to"] = party_json(witness.to);
  json["p_from"] = witness.p_from.to_string();
  json["p_to"] = witness.p_to.to_string();
  return json;
}

Json measured_json(const MeasuredLevel& measured) {
  Json json = level_json(measured.level);
  json["witness"] = witness_json(measured.witness);
  return json;
}

template <typename T, typename Write>
Json optional_json(const std::optional<T>& value, Write write) {
  return value ? write(*value) : Json(nullptr);
}

// {coordinate: value}
template <typename T, typename Write>
Json by_coordinate(const std::vector<std::string>& coordinates, const std::optional<std::vector<T>>& values,
                   Write write) {
  if (!values) return nullptr;
  Json json = Json::object();
  for (std::size_t i = 0; i < coordinates.size(); ++i) json[coordinates[i]] = write((*values)[i]);
  return json;
}

Json tradeoff_json(const Tradeoff& tradeoff) {
  Json vertices = Json::array();
  for (const ErrorPair& vertex : tradeoff.vertices) {
    vertices.push_back({vertex.type_one.to_string(), vertex.type_two.to_string()});
  }
  return {{"from", party_json(tradeoff.from)}, {"to", party_json(tradeoff.to)}, {"vertices", vertices}};
}

Json tradeoffs_json(const std::vector<Tradeoff>& tradeoffs) {
  Json json;
  json["ldp"] = tradeoff_json(tradeoffs.at(0));
  json["bcdp"] = nullptr;
  for (std::size_t i = 1; i < tradeoffs.size(); ++i) json["bcdp"][tradeoffs[i].of] = tradeoff_json(tradeoffs[i]);
  return json;
}

Json losses_json(const PairwiseLosses& losses) {
  Json sides = Json::array();
  for (const Party& side : losses.sides) sides.push_back(party_json(side));
  Json rows = Json::array();
  for (const auto& row : losses.loss) {
    Json levels = Json::array();
    for (const Level& level : row) levels.push_back(level.to_string());
    rows.push_back(std::move(levels));
  }
  return {{"sides", sides}, {"levels", rows}};
}

// What figures need.
void add_losses(Json& json, const Pairwise& pairs, const std::vector<std::string>& coordinates) {
  json["losses"] = {{"ldp", optional_json(pairs.inputs, losses_json)}, {"bcdp", nullptr}};
  for (std::size_t i = 0; i < pairs.values.size(); ++i) {
    json["losses"]["bcdp"][coordinates[i]] = optional_json(pairs.values[i], losses_json);
  }
  json["correlation_between"] = nullptr;
  for (std::size_t i = 0; i < pairs.correlation.size(); ++i) {
    Json& row = json["correlation_between"][coordinates[i]] = Json::object();
    for (std::size_t j = 0; j < coordinates.size(); ++j) {
      if (i != j) row[coordinates[j]] = pairs.correlation[i][j].to_string();
    }
  }
}

Json analysis_json(const SpecResult& spec) {
  const Analysis& analysis = spec.analysis;
  // A level's coordinate is its key here.
  const auto level_of_key = [&](const MeasuredLevel& measured) {
    Json json = measured_json(measured);
    json["witness"].erase("coordinate");
    return json;
  };
  Json json;
  json["ldp"] = optional_json(analysis.ldp, measured_json);
  json["bdp"] = optional_json(analysis.bdp, measured_json);
  json["cdp"] = by_coordinate(spec.coordinates, analysis.cdp, level_of_key);
  json["bcdp"] = by_coordinate(spec.coordinates, analysis.bcdp, level_of_key);
  json["correlation"] =
      by_coordinate(spec.coordinates, analysis.correlation, [](const Number& q) { return Json(q.to_string()); });
  json["proposition_4"] = by_coordinate(spec.coordinates, analysis.proposition_4, level_json);
  if (analysis.tradeoffs) json["tradeoff"] = tradeoffs_json(*analysis.tradeoffs);
  if (spec.pairs) add_losses(json, *spec.pairs, spec.coordinates);
  if (!analysis.undecided.empty()) json["undecided"] = analysis.undecided;
  return json;
}

Json functions_json(const Functions& functions) {
  return {{"symbols", functions.symbols}, {"functions", functions.entries}};
}

struct ClaimedWriter {
  Json operator()(const std::string& level) const { return level; }
  Json operator()(const std::vector<std::pair<std::string, std::string>>& levels) const {
    Json json = Json::object();
    for (const auto& [name, level] : levels) json[name] = level;
    return json;
  }
  Json operator()(const std::vector<std::vector<std::string>>& matrix) const { return matrix; }
};

Json gain_json(const Refinement& refinement) {
  return {{"gain", matrix_json(refinement.gain)},
          {"value", refinement.value.to_string()},
          {"best_of_the_other", refinement.best.to_string()}};
}

struct ActualWriter {
  Json operator()(const Refinement& refinement) const {
    return refinement.holds ? Json{{"kernel", matrix_json(refinement.kernel)}} : Json(nullptr);
  }

  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(const MeasuredLevel& measured) const { return measured_json(measured); }
  Json operator()(const std::vector<CoordinateLevel>& levels) const {
    Json json = Json::object();
    for (const CoordinateLevel& level : levels) json[level.coordinate] = measured_json(level.measured);
    return json;
  }
  Json operator()(const Delta& delta) const {
    const DecimalBounds bounds = decimal_bounds(delta.delta);
    return {{"delta", delta.delta.to_string()},
            {"lower", bounds.lower},
            {"upper", bounds.upper},
            {"witness", witness_json(delta.witness, true)}};
  }
};

std::string verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds: return "holds";
    case Verdict::kRefuted: return "refuted";
    case Verdict::kUndecided: break;
  }
  return "undecided";
}

Json query_json(const QueryRecord& query) {
  Json json;
  json["name"] = query.name;
  json["status"] = query.status;
  json["seconds"] = query.seconds;
  if (!query.file.empty()) json["file"] = query.file;
  if (!query.cross_check.empty()) json["cross_check"] = query.cross_check;
  return json;
}

Json claim_json(const ClaimResult& claim) {
  const bool decided = claim.verdict != Verdict::kUndecided;
  const bool event = std::holds_alternative<Delta>(claim.decision.actual) ||
                     (claim.decision.witness && claim.decision.witness->outputs.size() != 1);
  Json json;
  json["index"] = claim.index;
  json["name"] = claim.name;
  json["notion"] = claim.notion;
  json["expect"] = claim.expect_holds ? "holds" : "refuted";
  if (claim.tight) json["tight"] = true;
  json["verdict"] = verdict_text(claim.verdict);
  json["ok"] = claim.ok();
  json["claimed"] = decided ? std::visit(ClaimedWriter{}, claim.claimed) : Json(nullptr);
  json["actual"] = decided ? std::visit(ActualWriter{}, claim.decision.actual) : Json(nullptr);
  json["decided_by"] = claim.decided_by;
  // Where only the exact engine decided, equal runs give equal documents.
  if (claim.seconds.contains("smt")) json["seconds"] = claim.seconds;
  if (!claim.missing_opinion.empty()) json["missing_opinion"] = claim.missing_opinion;
  for (const auto& [symbol, value] : claim.values) json["values"][symbol] = value;
  for (const QueryRecord& query : claim.queries) json["queries"].push_back(query_json(query));
  json["witness"] =
      optional_json(claim.decision.witness, [&](const Witness& witness) { return witness_json(witness, event); });
  const auto* refinement = std::get_if<Refinement>(&claim.decision.actual);
  if (refinement != nullptr && !refinement->holds) json["witness"] = gain_json(*refinement);
  if (claim.decision.tradeoff) json["tradeoff"] = tradeoff_json(*claim.decision.tradeoff);
  if (!decided) json["reason"] = claim.reason;
  const ClaimWords words = claim_words(claim);
  json["words"] = {{"claim", words.claim}, {"verdict", words.verdict}, {"found", words.found}};
  json["place"] = {{"line", claim.place.line}, {"column", claim.place.column}, {"pointer", claim.place.pointer}};
  return json;
}

// A count is a JSON number while every reader holds it exactly, else its digits in a string.
Json count_json(const Number& count) {
  std::int64_t value = 0;
  constexpr std::int64_t kLargestExact = std::int64_t{1} << 53;
  if (count.fits_int64(value) && value <= kLargestExact) return value;
  return count.to_string();
}

Json spec_json(const SpecResult& spec) {
  Json json;
  json["file"] = spec.file;
  json["name"] = spec.name;
  json["description"] = spec.description;
  json["source"] = spec.source;
  json["files"] = files_json(spec.files);
  json["coordinates"] = spec.coordinates;
  json["inputs"] = count_json(spec.inputs);
  json["outputs"] = optional_json(spec.outputs, count_json);
  json["analysis"] = spec.functions ? functions_json(*spec.functions) : analysis_json(spec);
  json["claims"] = Json::array();
  for (const ClaimResult& claim : spec.claims) json["claims"].push_back(claim_json(claim));
  return json;
}

}  // namespace

std::string json_report(const RunResult& run) {
  Json json = json_head();
  json["environment"] = environment_json();
  json["specs"] = Json::array();
  for (const SpecResult& spec : run.specs) json["specs"].push_back(spec_json(spec));
  add_errors(json, run.errors);
  json["summary"] = {{"specs", run.specs.size()},
                     {"claims", run.claims()},
                     {"ok", run.ok()},
                     {"failed", run.failed()},
                     {"undecided", run.undecided()}};
  return json_text(json);
}

}  // namespace oddsbound
