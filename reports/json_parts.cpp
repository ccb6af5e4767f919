#include "reports/json_parts.h"

#include "base/characters.h"

namespace oddsbound::reports {

nlohmann::ordered_json json_head() { return json_head(ODDSBOUND_VERSION); }

nlohmann::ordered_json json_head(const std::string& version) {
  nlohmann::ordered_json head;
  head["oddsbound"] = 1;
  head["tool"] = {{"name", "oddsbound"}, {"version", version}};
  return head;
}

std::string json_text(const nlohmann::ordered_json& document) {
  return json_escaped(document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) + "\n";
}

std::string one_line(const nlohmann::ordered_json& part) {
  return json_escaped(part.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace oddsbound::reports
