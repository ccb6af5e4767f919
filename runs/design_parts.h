// What all ways of making a mechanism for a request have in common. For the files of runs only (heavy library).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "specs/design.h"

namespace oddsbound::runs {

/// The rows of the mechanism: one for all inputs that agree on what it reads.
struct ReadRows {
  std::vector<std::uint64_t> of_input;
  std::vector<std::string> names;
};
ReadRows rows_of(const specs::DesignFile& request);

struct Designed {
  std::vector<std::string> outputs;
  std::vector<std::vector<Number>> rows;
  std::string told;  // for the description: what was to be least, or most, and how much that is
};
nlohmann::ordered_json spec_of(const specs::DesignFile& request, const ReadRows& rows, const Designed& designed,
                               const std::string& folder);

}  // namespace oddsbound::runs
