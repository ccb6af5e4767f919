// The result as the JSON document of the result format, version 1 (docs/result-format.md).
#pragma once

#include <string>

#include "results/result.h"

namespace oddsbound {

std::string json_report(const RunResult& run);

}  // namespace oddsbound
