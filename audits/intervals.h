// Bounds from intervals around every P(output given input) at once: for data that were recorded, where labels cannot be
// drawn afresh, and upper bounds on levels, for which it must be known that there are no other outputs.
#pragma once

#include <span>

#include "audits/question.h"
#include "audits/tally.h"
#include "base/budget.h"

namespace oddsbound::audits {

struct LevelBounds {
  double low = 0;
  double high = 0;  // infinite if some output may be impossible for one side
  // What the lower bound rests on.
  std::uint32_t from = 0, to = 0;
  std::uint64_t output = 0;
};

/// stages: as in check_agreement. All bounds of all questions hold together with probability 1 - alpha. Throws
/// LimitError if pairs x outputs are too many.
std::vector<LevelBounds> bounds_from_intervals(std::span<const Question> questions, std::span<const Tally> stages,
                                               double alpha, Budget& budget);

}  // namespace oddsbound::audits
