#include "reports/document.h"

namespace oddsbound {

nlohmann::ordered_json json_head() {
  nlohmann::ordered_json head;
  head["oddsbound"] = 1;
  head["tool"] = {{"name", "oddsbound"}, {"version", ODDSBOUND_VERSION}};
  return head;
}

std::string json_text(const nlohmann::ordered_json& document) {
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace oddsbound
