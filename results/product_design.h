// What a design of one matrix for each attribute is told with, besides its loss.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verifier/exact/level.h"

namespace oddsbound::results {

struct AttributeLevel {
  std::string attribute;
  Level level;
};

struct ProductDesign {
  std::vector<AttributeLevel> levels;
  bool tied = false;
  std::uint64_t decisions = 0;  // points whose limits were decided
  std::uint64_t open = 0;       // of these, where the answer stayed open
  bool stopped = false;         // by the number of decisions
};

}  // namespace oddsbound::results
