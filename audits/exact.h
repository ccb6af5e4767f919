// What an audit's bounds are to be read beside: the level that a question is about, exactly, of the stated channel and
// straight from the question: every two sides that it compares.
#pragma once

#include <optional>

#include "audits/question.h"

namespace oddsbound::audits {

/// Of one question: a level, or a delta (question.bounds_delta()).
struct ExactAnswer {
  std::optional<Level> level;
  std::optional<Number> delta;
};

/// Neither is set if the channel or the comparisons are too many to be looked at in passing.
ExactAnswer exact_answer(const Question& question, const Channel& channel, Budget& budget);

}  // namespace oddsbound::audits
