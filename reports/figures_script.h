// The script that draws a report's figures anew (reports/web), where the program was built with Node at hand.
#pragma once

#include <string_view>

#include "base/namespaces.h"

namespace oddsbound::reports {

/// Empty if the program was built without it.
std::string_view figures_script();

}  // namespace oddsbound::reports
