// A notion defined outside the library (one file, one line) is shown by every format and kept by the lock.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>

#include "app/lock.h"
#include "app/verify.h"
#include "base/files.h"
#include "reports/formats.h"
#include "reports/text.h"
#include "tests/support/read_back.h"

using namespace oddsbound;
using oddsbound::testing::read_back;

namespace {

std::string spec_text(const std::string& epsilon) {
  return R"j({"oddsbound": 1, "name": "pair", "domain": [{"name": "left", "size": 2}, {"name": "right", "size": 3}],
    "prior": {"type": "uniform"},
    "mechanism": {"type": "per_coordinate", "mechanisms": {
      "left": {"type": "k_randomized_response", "epsilon": ")j" +
         epsilon + R"j("},
      "right": {"type": "k_randomized_response", "epsilon": "log(3)"}}},
    "claims": [{"notion": "twice_cdp", "epsilon": {"left": "log(4)", "right": "log(8)"}, "expect": "refuted"}]})j";
}

Report run_text(const std::string& text) {
  Budget budget;
  Report run;
  run.made_with = MadeWith::this_program();
  VerifyOptions options;
  options.figures = true;
  run.specs.push_back(evaluate(read_spec_text("pair.json", ".", text, budget), budget, options));
  return run;
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("every format tells of the levels and claims of a notion from outside") {
  const Report run = run_text(spec_text("log(2)"));
  CHECK(run.exit_status() == 0);
  RenderOptions full;
  full.detail = Detail::kFull;
  CHECK(says(text_analysis(run, full), "twice_cdp right  2.19722   log(9)"));
  CHECK(says(text_analysis(run, {}), "TWICE_CDP"));
  CHECK(says(text_verification(run, {}), "twice_cdp left <= log(4), right <= log(8): refuted, as expected"));
  CHECK(says(text_verification(run, {}), "left log(4) = 1.38629, right log(9) = 2.19722"));
  const std::string json = to_json(run);
  CHECK(says(json, "\"twice_cdp\": {"));
  CHECK(says(json, "\"notion\": \"twice_cdp\""));
  const Report read = read_back(run);
  CHECK(to_json(read) == json);
  Report wrong = run;
  wrong.specs[0].claims[0].expect_holds = true;
  const Checks checks = checks_of(wrong, wrong.exit_status());
  CHECK(says(find_format("sarif")->of_report(wrong, checks, {}), "twice_cdp"));
  CHECK(says(find_format("sarif")->of_report(wrong, checks, {}), "\"actual right\": \"log(9)\""));
  const std::string html = find_format("html")->of_report(read, checks_of(read, 0), {true});
  CHECK(says(html, "coordinate DP of two runs of right"));
  CHECK(says(html, "twice_cdp left &lt;= log(4), right &lt;= log(8)"));
  CHECK(says(find_format("markdown")->of_report(read, checks_of(read, 0), {}), "| coordinate DP of two runs |"));
  CHECK(says(find_format("junit")->of_report(read, checks_of(read, 0), {}), "twice_cdp"));
}

TEST_CASE("a result that contradicts itself about a notion from outside is no result") {
  std::string json = to_json(run_text(spec_text("log(2)")));
  const std::string claimed = "\"right\": \"log(8)\"";
  REQUIRE(says(json, claimed));
  json.replace(json.find(claimed), claimed.size(), "\"right\": \"log(9)\"");
  CHECK_THROWS_AS(read_back(json), SpecError);
}

TEST_CASE("the lock keeps the levels of a notion from outside: one that grows fails") {
  const std::string file =
      std::filesystem::temp_directory_path() / ("oddsbound-toy-" + std::to_string(getpid()) + ".json");
  const auto measured = [&](const std::string& epsilon) {
    write_whole(file, spec_text(epsilon));
    return measure_for_lock(file);
  };
  const MeasuredSpec before = measured("log(2)");
  CHECK(before.levels.at("twice_cdp left").upper == level_of_text("log(4)"));
  CHECK(before.levels.at("twice_cdp right").upper == level_of_text("log(9)"));
  Lock lock;
  lock.specs["pair.json"] = promises_for(before, {});
  CHECK(compare_with_lock(lock, {{"pair.json", before}}, {}, false).exit_status == 0);
  const Checks grown = compare_with_lock(lock, {{"pair.json", measured("log(201/100)")}}, {}, false);
  bool named = false;
  for (const Check& check : grown.list) {
    named = named || (check.outcome == Outcome::kFail && says(check.title, "twice_cdp left"));
  }
  CHECK(named);
  std::filesystem::remove(file);
}
