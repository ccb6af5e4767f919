#include "base/answer.h"

#include <doctest/doctest.h>

using namespace oddsbound;

TEST_CASE("No outweighs open, and open outweighs yes") {
  for (const Answer other : {Answer::kNo, Answer::kYes, Answer::kOpen}) {
    CHECK(both(Answer::kNo, other) == Answer::kNo);
    CHECK(both(other, Answer::kNo) == Answer::kNo);
    CHECK(both(Answer::kYes, other) == other);
    CHECK(both(other, Answer::kYes) == other);
  }
  CHECK(both(Answer::kOpen, Answer::kOpen) == Answer::kOpen);
  CHECK(answer_of(true) == Answer::kYes);
  CHECK(answer_of(false) == Answer::kNo);
}
