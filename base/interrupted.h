// A limit of the run itself.
#pragma once

#include "base/errors.h"

namespace oddsbound::base {

/// The time or the memory of a run is used up, or somebody asked for a stop: nothing is wrong with what was being read
/// or computed, so that no place in a file is to blame for it.
class Interrupted : public LimitError {
 public:
  using LimitError::LimitError;
};

}  // namespace oddsbound::base
