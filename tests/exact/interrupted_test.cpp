// A limit that is reached while an expression is read is reported as such, not as a fault of the expression.
#include <doctest/doctest.h>

#include <string>

#include "base/budget.h"
#include "base/errors.h"
#include "verifier/exact/expression.h"

using namespace oddsbound;

namespace {

const char* const kLong = "log(12345678901234567^9999)";

std::string limit_of(const char* text) {
  try {
    parse_level(text);
  } catch (const base::LimitError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("the time limit passes through the parser of expressions as it is") {
  Limits limits;
  limits.max_seconds = 1e-9;
  base::Budget budget(limits);
  CHECK_THROWS_AS(parse_level(kLong), base::Interrupted);
  CHECK(limit_of(kLong) == "the time limit was reached (--max-seconds 1e-09)");
}

TEST_CASE("so does a stop that somebody asked for") {
  std::stop_source source;
  Limits limits;
  limits.stop = source.get_token();
  base::Budget budget(limits);
  source.request_stop();
  CHECK_THROWS_AS(parse_level(kLong), base::Interrupted);
}

TEST_CASE("a limit of the grammar is placed in the expression") {
  CHECK(limit_of("log(2^99999999)").find("(at character ") != std::string::npos);
}
