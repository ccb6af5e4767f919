// What a result was computed with: for the record of a report.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/namespaces.h"

namespace oddsbound::results {

/// ("system", "Linux 6.1 x86_64"), ("compiler", "GCC 12.2.0"), ("Arb", "2.23.0"), ...
std::vector<std::pair<std::string, std::string>> environment();

}  // namespace oddsbound::results
