// A level as somebody would claim it.
#pragma once

#include <string>

#include "verifier/model/witness.h"

namespace oddsbound::runs {

struct MeasuredClaim {
  std::string epsilon;  // in the grammar of levels
  bool tight = false;   // it is the level itself, and not only above it
};

/// The level itself if that is short to write, else rounded up to four decimals; of one that is not known, what it is
/// at most.
MeasuredClaim claim_of(const MeasuredLevel& level);

}  // namespace oddsbound::runs
