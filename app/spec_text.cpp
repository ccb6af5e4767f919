#include "app/spec_text.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>

#include "base/characters.h"
#include "base/errors.h"

namespace oddsbound::app {

namespace {

using Json = nlohmann::ordered_json;

std::string key_of(const Json::const_iterator& item, const Json& json) {
  return json.is_object() ? json_escaped(Json(item.key()).dump()) + ": " : "";
}

std::string in_one_line(const Json& json) {
  if (!json.is_structured()) return json_escaped(json.dump());
  std::string text;
  for (auto item = json.begin(); item != json.end(); ++item) {
    text += (text.empty() ? "" : ", ") + key_of(item, json) + in_one_line(*item);
  }
  return json.is_object() ? "{" + text + "}" : "[" + text + "]";
}

// column: where the text begins.
std::string laid_out(const Json& json, std::size_t indent, std::size_t column) {
  constexpr std::size_t kWidth = 140;
  const bool list =
      json.is_array() && std::any_of(json.begin(), json.end(), [](const Json& j) { return j.is_object(); });
  std::string line = in_one_line(json);
  if (!json.is_structured() || (column > 0 && !list && column + line.size() < kWidth)) return line;
  const std::string inner(indent + 2, ' ');
  std::string text;
  for (auto item = json.begin(); item != json.end(); ++item) {
    const std::string key = key_of(item, json);
    text.append(text.empty() ? "\n" : ",\n").append(inner).append(key);
    text += laid_out(*item, indent + 2, indent + 2 + key.size());
  }
  text += "\n" + std::string(indent, ' ');
  return json.is_object() ? "{" + text + "}" : "[" + text + "]";
}

}  // namespace

std::string spec_text(const Json& spec) {
  try {
    return laid_out(spec, 0, 0) + "\n";
  } catch (const Json::type_error&) {
    throw ModelError("a name in the table, or that of the file, is not UTF-8: a spec cannot hold it");
  }
}

std::string name_from(const std::string& folder, const std::string& file) {
  namespace fs = std::filesystem;
  const auto called = [](const fs::path& path) { return fs::absolute(path).lexically_normal(); };
  return called(file).lexically_relative(called(folder.empty() ? "." : folder)).generic_string();
}

std::string as_file_name(const std::string& text) {
  std::string name;
  for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  return name;
}

nlohmann::ordered_json json_of(specs::JsonView value) {
  switch (value.kind()) {
    case specs::JsonKind::kObject: {
      nlohmann::ordered_json object = nlohmann::ordered_json::object();
      for (const specs::JsonView::Member& member : value.members()) {
        object[std::string(member.key.text())] = json_of(member.value);
      }
      return object;
    }
    case specs::JsonKind::kArray: {
      nlohmann::ordered_json array = nlohmann::ordered_json::array();
      for (const specs::JsonView item : value.items()) array.push_back(json_of(item));
      return array;
    }
    case specs::JsonKind::kNumber: {
      // A string has the same meaning in a spec and is not converted to double. Short whole numbers are exact anyway.
      const std::string text(value.text());
      constexpr std::size_t kDigits = 15;
      const bool whole = text.find_first_not_of("-0123456789") == std::string::npos && text.size() <= kDigits;
      return whole ? nlohmann::ordered_json::parse(text) : nlohmann::ordered_json(text);
    }
    case specs::JsonKind::kString: return std::string(value.text());
    case specs::JsonKind::kBoolean: return value.text() == "true";
    case specs::JsonKind::kNull: break;
  }
  return nullptr;
}

nlohmann::ordered_json matrix_of(const std::vector<std::string>& outputs,
                                 const std::vector<std::vector<Number>>& rows) {
  nlohmann::ordered_json matrix = {{"type", "matrix"}, {"outputs", nlohmann::ordered_json::array()}};
  std::vector<std::size_t> given;
  for (std::size_t y = 0; y < outputs.size(); ++y) {
    const auto is_given = [&](const std::vector<Number>& row) { return !row[y].is_zero(); };
    if (std::none_of(rows.begin(), rows.end(), is_given)) continue;
    given.push_back(y);
    matrix["outputs"].push_back(outputs[y]);
  }
  for (const std::vector<Number>& row : rows) {
    nlohmann::ordered_json entries = nlohmann::ordered_json::array();
    for (const std::size_t y : given) entries.push_back(row[y].to_string());
    matrix["rows"].push_back(std::move(entries));
  }
  return matrix;
}

void name_prior_from(nlohmann::ordered_json& spec, const std::string& folder, const std::string& file) {
  if (!spec.contains("prior") || !spec["prior"].is_object() || !spec["prior"].contains("file")) return;
  const std::filesystem::path beside = std::filesystem::path(file).parent_path();
  spec["prior"]["file"] = name_from(folder, (beside / spec["prior"]["file"].get<std::string>()).string());
}

namespace {

Json domain_json(const Domain& domain) {
  Json json = Json::array();
  for (std::size_t i = 0; i < domain.size(); ++i) {
    json.push_back({{"name", domain.coordinate(i).name}, {"values", domain.coordinate(i).values.listed()}});
  }
  return json;
}

// The masses as integers: a table, confidential like the one that the set is about. nullopt if they are not rational.
std::optional<Json> counts_json(const std::vector<Number>& weights) {
  Number scale(1);
  for (const Number& weight : weights) {
    const Number scaled = weight * scale;
    if (!scaled.is_rational()) return std::nullopt;
    const std::string text = scaled.to_string();
    const std::size_t bar = text.find('/');
    if (bar != std::string::npos) scale *= Number::from_digits(text.substr(bar + 1), "1");
  }
  Json counts = Json::array();
  for (const Number& weight : weights) counts.push_back((weight * scale).to_string());
  return Json{{"type", "counts"}, {"counts", std::move(counts)}};
}

Json prior_json(const Domain& domain, const MemberPrior& prior, bool confidential) {
  std::vector<Number> weights(domain.inputs());
  for (const auto& [input, mass] : prior.rows) {
    InputRow row;
    for (std::size_t i = 0; i < input.size(); ++i) {
      row.push_back(static_cast<std::uint32_t>(*domain.find_value(i, input[i])));
    }
    weights[domain.number(row)] += mass;
  }
  if (confidential) {
    if (std::optional<Json> counts = counts_json(weights)) return *std::move(counts);
  }
  const Number total = sum_of(weights);
  Json cells = Json::array();
  for (const Number& weight : weights) cells.push_back((weight / total).to_string());
  return {{"type", "probabilities"}, {"probabilities", std::move(cells)}};
}

Json mechanism_json(const Channel& channel, Budget& budget) {
  Json outputs = Json::array(), rows = Json::array();
  for (std::uint64_t y = 0; y < channel.outputs(); ++y) outputs.push_back(channel.output_label(y));
  for (const auto& row : rows_of(channel, budget)) {
    Json& cells = rows.emplace_back(Json::array());
    for (const Number& entry : row) cells.push_back(entry.to_string());
  }
  return {{"type", "matrix"}, {"outputs", std::move(outputs)}, {"rows", std::move(rows)}};
}

// The claim restricted to the two sides of the witness.
Json claim_json(const Claim& claim, const Witness& witness, const std::string& epsilon) {
  Json json;
  for (const auto& [key, source] : claim.source) {
    const FieldValue* value = claim.arguments.find_value(key);
    if (key == "notion" || (value != nullptr && key != "epsilon" && key != kForAll)) json[key] = Json::parse(source);
  }
  const auto text = [](const Label& party) { return std::visit([](const auto& side) { return Json(side); }, party); };
  if (witness.coordinate.empty()) {
    json["epsilon"] = epsilon;
  } else {
    json["epsilon"] = {{witness.coordinate, epsilon}};
  }
  const std::vector<Field>& fields = claim.notion->fields;
  if (std::any_of(fields.begin(), fields.end(), [](const Field& field) { return field.name == "from"; })) {
    json["from"] = Json::array({text(witness.from)});
    json["to"] = Json::array({text(witness.to)});
  }
  return json;
}

Json claims_json(const Claim& claim, const ClaimResult& result, const MeasuredLevel& measured) {
  constexpr std::int64_t kNearly = 1'000'000'000;
  const Witness witness = measured.witness.get();
  Json claims = Json::array();
  Number less = Number(2).pow(30);  // a level below infinity
  if (!witness.p_to.is_zero()) less = witness.p_from / witness.p_to * Number::ratio(kNearly - 1, kNearly);
  if (less >= Number(1)) {
    Json shown = claim_json(claim, witness, Level::of_exponential(less).to_string());
    shown["name"] = "what the prior shows";
    shown["expect"] = "refuted";
    claims.push_back(std::move(shown));
  }
  if (result.scope.is_certain()) {
    Json level = claim_json(claim, witness, measured.at_most().to_string());
    level["name"] = "the level over the set";
    if (witness.prior->attains && !measured.unfinished) level["tight"] = true;
    claims.push_back(std::move(level));
  }
  return claims;
}

}  // namespace

std::vector<NamedText> witness_specs(const Spec& spec, const ClaimResult& result, Budget& budget) {
  const Claim& claim = spec.claims.at(result.index);
  std::vector<const MeasuredLevel*> levels;
  if (const MeasuredLevel* level = single_level(result.decision.actual)) levels.push_back(level);
  if (const auto* by_coordinate = std::get_if<NamedLevels>(&result.decision.actual)) {
    for (const auto& [coordinate, level] : *by_coordinate) levels.push_back(&level);
  }
  std::vector<NamedText> specs;
  for (const MeasuredLevel* level : levels) {
    const Witness witness = level->witness.get();
    if (!witness.prior) continue;
    std::string name = as_file_name(spec.name) + "-claim-" + std::to_string(result.index);
    if (!witness.coordinate.empty() && levels.size() > 1) name += "-" + as_file_name(witness.coordinate);
    const Json json{
        {"oddsbound", 1},
        {"name", name},
        {"description", "A prior that shows a level of claim " + std::to_string(result.index) + " of " + spec.name +
                            ", for all " + result.scope.for_all + ", at the output " + witness.outputs.at(0) + "."},
        {"domain", domain_json(spec.model.domain)},
        {"prior", prior_json(spec.model.domain, *witness.prior, result.confidential)},
        {"mechanism", mechanism_json(*spec.model.channel, budget)},
        {"claims", claims_json(claim, result, *level)}};
    specs.push_back({name + ".json", spec_text(json)});
    budget.reserve_output(specs.back().text.size());
  }
  return specs;
}

}  // namespace oddsbound::app
