// The answer to a question that a limit may leave open.
#pragma once

#include "base/namespaces.h"

namespace oddsbound::base {

/// kOpen: neither is shown, because a limit was reached or bounds do not decide.
enum class Answer { kNo, kYes, kOpen };

constexpr Answer answer_of(bool yes) { return yes ? Answer::kYes : Answer::kNo; }
/// Returns kNo if either is, kYes if both are.
constexpr Answer both(Answer a, Answer b) {
  return a == Answer::kNo || b == Answer::kNo ? Answer::kNo : a == Answer::kYes ? b : a;
}

}  // namespace oddsbound::base
