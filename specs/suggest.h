// "Did you mean": the known word nearest to an unknown one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/namespaces.h"

namespace oddsbound::specs {

/// "did you mean 'x'?", or "" if nothing is near.
std::string suggestion(std::string_view unknown, std::span<const std::string> known);

/// "a, b or c", cut after a dozen.
std::string listing(std::span<const std::string> words);

}  // namespace oddsbound::specs
