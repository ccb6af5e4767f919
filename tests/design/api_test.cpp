// Designs and repairs by the public interface.
#include <doctest/doctest.h>

#include "design/api.h"

using namespace oddsbound;

TEST_CASE("a mechanism is designed: its spec keeps what was asked, and nothing loses less") {
  const std::string folder = ODDSBOUND_SOURCE_DIR "/specs/designs";
  const Expected<DesignResult> result = design(File{folder + "/grid.design.json"}, folder);
  REQUIRE(result);
  CHECK(result->loss == Number::ratio(10, 9));
  CHECK(result->at_least == result->loss);
  CHECK(text_design(*result).find("has less") != std::string::npos);
  CHECK(render(*result, "text") == text_design(*result));
  CHECK(render(*result, "json") == result->spec);
  CHECK(render(*result, "html", {true})->find("10/9 = 1.11111") != std::string::npos);
  CHECK(!render(*result, "sarif"));
  const auto read_back = read(Text{result->spec, "best.json", folder});
  REQUIRE(read_back);
  CHECK(verify(*read_back).exit_status() == 0);
  CHECK(design(File{"no-such.design.json"}).error().place.file == "no-such.design.json");
  RepairOptions options;
  options.rounded_rows = true;
  const Expected<RepairResult> mended = repair(File{ODDSBOUND_SOURCE_DIR "/examples/solved-in-floats.json"}, options);
  REQUIRE(mended);
  CHECK(text_repair(*mended).find("largest change") != std::string::npos);
  CHECK(render(*mended, "text") == text_repair(*mended));
  CHECK(render(*mended, "json") == mended->spec);
  CHECK(render(*mended, "html", {true})->find("largest change") != std::string::npos);
  CHECK(!render(*mended, "csv"));
  CHECK(verify(*read(Text{mended->spec, "mended.json", "."})).exit_status() == 0);
}
