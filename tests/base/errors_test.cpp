#include <doctest/doctest.h>

#include "base/errors.h"
#include "specs/spec_error.h"

using namespace oddsbound;

TEST_CASE("a long message is cut in the middle, between characters") {
  CHECK(base::shortened("short", 5) == "short");
  CHECK(base::shortened("0123456789", 8) == "0123...89");
  CHECK(base::shortened("a\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 4) == "a\xc3\xa9...");
  CHECK(base::shortened(std::string(5000, 'a')).size() < base::kLongestMessage);
}

TEST_CASE("a limit's message is shortened by the error itself, so that no reason of an undecided claim is long") {
  const std::string number(1'000'000, '7');
  CHECK(std::string(LimitError("the number " + number + " is too long").what()).size() < base::kLongestMessage);
  CHECK(std::string(Interrupted("stopped at " + number).what()).starts_with("stopped at 777"));
  CHECK(std::string(LongNumberError(number).what()).size() < base::kLongestMessage);
}

TEST_CASE("an error of a file is a few lines long, whatever it quotes") {
  const std::string number(1'000'000, '7');
  const SpecError error({number, 1, 1, "/" + number}, "found " + number + ", expected 1", "near " + number + "?");
  CHECK(std::string(error.what()).size() < 4500);
  CHECK(error.message().ends_with("7, expected 1"));
  CHECK(error.hint().starts_with("near 7"));
}
