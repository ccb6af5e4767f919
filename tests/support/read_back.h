// A result, written and read back as `report` does.
#pragma once

#include "reports/report.h"

namespace oddsbound::testing {

inline Report read_back(const std::string& json) {
  Budget budget;
  return report_from_json(JsonDocument("the result", json), budget);
}
inline Report read_back(const Report& report) { return read_back(to_json(report)); }

}  // namespace oddsbound::testing
