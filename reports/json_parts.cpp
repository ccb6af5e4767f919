#include "reports/json_parts.h"

#include <algorithm>

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

void require_possible(const ResultObject& object, const TableUse& table) {
  std::uint64_t cells = 0;
  for (const auto& [coordinate, count] : table.missing_cells) cells += std::min(count, table.rows);
  const std::uint64_t most = table.missing == Missing::kDrop ? std::min(table.rows, cells) : 0;
  if (table.dropped > most) {
    object.require("dropped").fail("found " + std::to_string(table.dropped) + ", expected at most " +
                                   std::to_string(most) + " rows with missing cells");
  }
  if (table.counted.has_value() != table.counted_dropped.has_value()) {
    object.require(table.counted ? "counted" : "counted_dropped").fail("expected both 'counted' and 'counted_dropped'");
  }
  if (table.counted && (table.counted_dropped->sign() < 0 || *table.counted < *table.counted_dropped)) {
    object.require("counted_dropped").fail("expected a part of what is counted");
  }
}

}  // namespace oddsbound::reports
