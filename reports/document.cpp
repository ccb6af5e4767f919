#include "reports/document.h"

namespace oddsbound {

nlohmann::ordered_json json_head() {
  nlohmann::ordered_json head;
  head["oddsbound"] = 1;
  head["tool"] = {{"name", "oddsbound"}, {"version", ODDSBOUND_VERSION}};
  return head;
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

std::string json_text(const nlohmann::ordered_json& document) {
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace oddsbound
