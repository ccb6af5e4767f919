#include "results/json_parts.h"

#include <sstream>

#include "results/environment.h"
#include "verifier/exact/decimal.h"

namespace oddsbound {

nlohmann::ordered_json json_head() {
  nlohmann::ordered_json head;
  head["oddsbound"] = 1;
  head["tool"] = {{"name", "oddsbound"}, {"version", ODDSBOUND_VERSION}};
  return head;
}

nlohmann::ordered_json environment_json() {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [name, value] : environment()) json[name] = value;
  return json;
}

nlohmann::ordered_json party_json(const Party& party) {
  return std::visit([](const auto& values) { return nlohmann::ordered_json(values); }, party);
}

nlohmann::ordered_json matrix_json(const std::vector<std::vector<Number>>& matrix) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const auto& row : matrix) {
    nlohmann::ordered_json cells = nlohmann::ordered_json::array();
    for (const Number& number : row) cells.push_back(number.to_string());
    json.push_back(std::move(cells));
  }
  return json;
}

nlohmann::ordered_json level_json(const Level& level) {
  nlohmann::ordered_json json;
  if (level.is_infinite()) {
    json["epsilon"] = "inf";
    return json;
  }
  const DecimalBounds bounds = decimal_bounds(level);
  json["exp"] = level.exponential().to_string();
  json["epsilon"] = level.to_string();
  json["lower"] = bounds.lower;
  json["upper"] = bounds.upper;
  return json;
}

nlohmann::ordered_json files_json(const std::vector<SourceFile>& files) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const SourceFile& file : files) json.push_back({{"file", file.file}, {"sha256", file.sha256}});
  return json;
}

void add_errors(nlohmann::ordered_json& document, const std::vector<FileError>& errors) {
  for (const FileError& error : errors) {
    document["errors"].push_back({{"file", error.place.file},
                                  {"line", error.place.line},
                                  {"column", error.place.column},
                                  {"pointer", error.place.pointer},
                                  {"message", error.message},
                                  {"hint", error.hint}});
  }
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line.substr(std::min(line.find_first_not_of(' '), line.size())));
  return lines;
}

std::string json_text(const nlohmann::ordered_json& document) {
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace oddsbound
