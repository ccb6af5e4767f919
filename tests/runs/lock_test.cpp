// What a lock says of changes: exact comparisons, nothing lost.
#include "runs/lock.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "specs/reading.h"
#include "verifier/exact/expression.h"

using namespace oddsbound;

namespace {

using Values = std::map<std::string, std::string>;

MeasuredSpec measured(const Values& levels, const Values& deltas = {}, const Values& verdicts = {}) {
  MeasuredSpec spec;
  spec.file = "a.json";
  spec.now = {{}, "hash", deltas, levels, verdicts};
  return spec;
}

Lock locked(const MeasuredSpec& spec) {
  Lock lock;
  lock.paths = {"."};
  lock.specs["a.json"] = spec.now;
  return lock;
}

// What is not as locked; a pass if all is.
std::vector<Outcome> outcomes(const Lock& lock, const MeasuredSpec& now, bool strict = false) {
  std::vector<Outcome> found;
  for (const Check& check : compare_with_lock(lock, {{"a.json", now}}, {}, strict).list) {
    if (check.outcome != Outcome::kPass) found.push_back(check.outcome);
  }
  return found.empty() ? std::vector{Outcome::kPass} : found;
}

using Outcomes = std::vector<Outcome>;

}  // namespace

TEST_CASE("what is as locked passes") {
  const MeasuredSpec spec =
      measured({{"ldp", "log(3)"}, {"cdp a", "inf"}}, {{"approximate_dp", "1/4"}}, {{"x", "holds"}});
  CHECK(outcomes(locked(spec), spec) == Outcomes{Outcome::kPass});
  CHECK(outcomes(locked(spec), spec, true) == Outcomes{Outcome::kPass});
}

TEST_CASE("levels are compared exactly: one part in 10^40 is growth, another spelling is none") {
  const Lock lock = locked(measured({{"ldp", "log(3)"}}));
  const std::string just_above =
      "log(30000000000000000000000000000000000000001/10000000000000000000000000000000000000000)";
  const std::string just_below =
      "log(29999999999999999999999999999999999999999/10000000000000000000000000000000000000000)";
  CHECK(outcomes(lock, measured({{"ldp", just_above}})) == Outcomes{Outcome::kFail});
  CHECK(outcomes(lock, measured({{"ldp", just_below}})) == Outcomes{Outcome::kNote});
  CHECK(outcomes(lock, measured({{"ldp", just_below}}), true) == Outcomes{Outcome::kFail});
  CHECK(outcomes(lock, measured({{"ldp", "log(6) - log(2)"}})) == Outcomes{Outcome::kPass});
  CHECK(outcomes(lock, measured({{"ldp", "inf"}})) == Outcomes{Outcome::kFail});
  CHECK(outcomes(locked(measured({{"ldp", "inf"}})), measured({{"ldp", "inf"}})) == Outcomes{Outcome::kPass});
}

TEST_CASE("of a level between two bounds, what is proven to have grown fails, and what is not known is a note") {
  const auto against = [&](const std::string& before, const std::string& now) {
    return outcomes(locked(measured({{"bcdp a", before}})), measured({{"bcdp a", now}})).at(0);
  };
  const std::string span = "log(3) to log(5)";
  CHECK(against(span, span) == Outcome::kPass);
  CHECK(against(span, "log(5)") == Outcome::kPass);
  CHECK(against(span, "log(3) to log(4)") == Outcome::kPass);
  CHECK(against(span, "log(2) to log(5)") == Outcome::kPass);
  CHECK(against(span, "log(6)") == Outcome::kFail);
  CHECK(against(span, "log(6) to inf") == Outcome::kFail);
  CHECK(against(span, "log(5) to log(6)") == Outcome::kNote);  // at 5 it would be as locked
  CHECK(against(span, "log(2) to log(6)") == Outcome::kNote);
  CHECK(against(span, "log(2)") == Outcome::kNote);
  CHECK(against("log(4)", span) == Outcome::kNote);
  CHECK(against("log(4)", "log(3) to log(4)") == Outcome::kPass);
  CHECK(against("log(4)", "log(9/2) to log(5)") == Outcome::kFail);
  CHECK(against("inf", "log(3) to inf") == Outcome::kPass);
  const auto write = [](const std::string& level) {
    Budget budget;
    return lock_text(read_lock("a.lock", lock_text(locked(measured({{"bcdp a", level}}))), budget));
  };
  CHECK(write(span).find("\"bcdp a\": \"log(3) to log(5)\"") != std::string::npos);
  CHECK_THROWS_AS(write("log(5) to log(3)"), SpecError);
  CHECK_THROWS_AS(write("log(3) to log(3)"), SpecError);
  CHECK_THROWS_AS(write("log(3) to "), SpecError);
  CHECK_THROWS_AS(write("log(3) to log(4) to log(5)"), SpecError);
}

TEST_CASE("deltas and verdicts that got worse fail") {
  CHECK(outcomes(locked(measured({}, {{"d", "1/4"}})), measured({}, {{"d", "251/1000"}})) == Outcomes{Outcome::kFail});
  CHECK(outcomes(locked(measured({}, {{"d", "1/4"}})), measured({}, {{"d", "249/1000"}})) == Outcomes{Outcome::kNote});
  CHECK(outcomes(locked(measured({}, {}, {{"v", "holds"}})), measured({}, {}, {{"v", "refuted"}})) ==
        Outcomes{Outcome::kFail});
  CHECK(outcomes(locked(measured({}, {}, {{"v", "refuted"}})), measured({}, {}, {{"v", "holds"}})) ==
        Outcomes{Outcome::kNote});
}

TEST_CASE("a level that is no longer measured fails, unless a limit left it open: then it is undecided") {
  const Lock lock = locked(measured({{"ldp", "1"}, {"bcdp a", "1"}}));
  MeasuredSpec now = measured({{"ldp", "1"}});
  CHECK(outcomes(lock, now) == Outcomes{Outcome::kFail});
  now.open["bcdp a"] = "--max-seconds";
  CHECK(outcomes(lock, now) == Outcomes{Outcome::kUndecided});
  CHECK(outcomes(lock, measured({{"ldp", "1"}, {"bcdp a", "1"}, {"bdp", "1"}})) == Outcomes{Outcome::kNote});
}

TEST_CASE("removed specs fail and new ones are notes; a moved one is compared with what it was") {
  const MeasuredSpec spec = measured({{"ldp", "1"}});
  const Lock lock = locked(spec);
  const Checks gone = compare_with_lock(lock, {}, {"a.json"}, false);
  REQUIRE(gone.list.size() == 1);
  CHECK(gone.list[0].outcome == Outcome::kFail);
  CHECK(compare_with_lock(lock, {{"b.json", spec}}, {"a.json"}, false).count(Outcome::kNote) == 1);
  MeasuredSpec looser = measured({{"ldp", "2"}});
  looser.now.content = "other";
  const Checks replaced = compare_with_lock(lock, {{"b.json", looser}}, {"a.json"}, false);
  CHECK(replaced.count(Outcome::kFail) == 1);
  CHECK(replaced.count(Outcome::kNote) == 1);
}

TEST_CASE("what is not measured in numbers fails when it changes; a proof of tightness may not come to hold either") {
  MeasuredSpec spec = measured({}, {}, {{"ldp epsilon \"2*log(t)\" tight true", "refuted"}});
  spec.now.by_content = {kAllLevels};
  Lock lock = locked(spec);
  CHECK(outcomes(lock, spec) == Outcomes{Outcome::kPass});
  lock.specs["a.json"].content = "other";
  CHECK(outcomes(lock, spec) == Outcomes{Outcome::kFail});
  spec.now.verdicts.begin()->second = "holds";
  lock.specs["a.json"].content = spec.now.content;
  CHECK(outcomes(lock, spec) == Outcomes{Outcome::kFail});
}

TEST_CASE("specs with symbols and continuous outputs are known to have no levels") {
  const std::string specs = ODDSBOUND_SOURCE_DIR "/specs/";
  const std::set<std::string> all{kAllLevels};
  CHECK(measure_for_lock(specs + "parametric/warner.json", {}).now.by_content == all);
  CHECK(measure_for_lock(specs + "gallery/duchi-l2-ball.json", {}).now.by_content == all);
  CHECK(measure_for_lock(specs + "gallery/warner.json", {}).now.by_content.empty());
}

TEST_CASE("of a matrix of bounds every pair is locked, and whether it holds") {
  const auto measure = [](const char* row) {
    const std::string file = std::filesystem::temp_directory_path() / "oddsbound-lock-test.json";
    std::ofstream(file) << R"j({"oddsbound": 1, "name": "c", "domain": [{"name": "x", "size": 2}], "mechanism":
      {"type": "matrix", "outputs": 2, "rows": [["1/2", "1/2"], )j"
                        << row << R"j(]}, "claims":
      [{"notion": "context_ldp", "epsilon": [["0", "log(10)"], ["log(2)", "0"]]}]})j";
    MeasuredSpec spec = measure_for_lock(file, {});
    std::filesystem::remove(file);
    return spec;
  };
  const MeasuredSpec before = measure(R"(["1/10", "9/10"])");
  CHECK(before.now.levels.at("loss from [\"0\"] to [\"1\"]") == "log(5)");
  CHECK(before.now.levels.at("loss from [\"1\"] to [\"0\"]") == "log(9/5)");
  const MeasuredSpec after = measure(R"(["999/1000", "1/1000"])");
  CHECK(before.now.verdicts.begin()->second == "holds");
  CHECK(after.now.verdicts.begin()->second == "refuted");
}

TEST_CASE("a limit leaves a secret open: undecided, not gone") {
  EvaluateOptions options;
  const std::string file = ODDSBOUND_SOURCE_DIR "/specs/gallery/parity-secret.json";
  const MeasuredSpec before = measure_for_lock(file, options);
  options.limits.max_cells = 3;  // less than one answer takes
  Lock lock;
  lock.specs["a"] = before.now;
  const Checks checks = compare_with_lock(lock, {{"a", measure_for_lock(file, options)}}, {}, false);
  CHECK(checks.count(Outcome::kFail) == 0);
  CHECK(checks.count(Outcome::kUndecided) > 0);
}

TEST_CASE("a changed spec with equal levels is a note") {
  const MeasuredSpec spec = measured({{"ldp", "1"}});
  Lock lock = locked(spec);
  lock.specs["a.json"].content = "other";
  CHECK(outcomes(lock, spec) == Outcomes{Outcome::kNote});
  CHECK(outcomes(lock, spec, true) == Outcomes{Outcome::kFail});
}

TEST_CASE("a lock is read back as it was written, one value a line") {
  Lock lock = locked(measured({{"ldp", "log(3)"}, {"bcdp \"quoted\"\n", "1/2"}}, {{"d", "1/3"}}, {{"v", "holds"}}));
  lock.accepted.push_back({"because", {"a.json: ldp grew"}});
  const std::string text = lock_text(lock);
  Budget budget;
  const Lock again = read_lock("lock.json", text, budget);
  CHECK(lock_text(again) == text);
  CHECK(again.specs == lock.specs);
  CHECK(text.find("\"ldp\": \"log(3)\"\n") != std::string::npos);
}

TEST_CASE("levels of more than 10,000 digits can be locked and compared") {
  const std::string huge = "log(1" + std::string(12'000, '0') + "1/3)";
  const std::string larger = "log(1" + std::string(12'000, '0') + "2/3)";
  Budget budget;
  const Lock lock = read_lock("lock.json", lock_text(locked(measured({{"ldp", huge}}))), budget);
  CHECK(outcomes(lock, measured({{"ldp", huge}})) == Outcomes{Outcome::kPass});
  CHECK(outcomes(lock, measured({{"ldp", larger}})) == Outcomes{Outcome::kFail});
}

TEST_CASE("what is no lock is an error at its place") {
  const auto error_of = [](const std::string& text) {
    Budget budget;
    try {
      read_lock("l.json", text, budget);
    } catch (const SpecError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(error_of("{\n<<<<<<< ours\n}").starts_with("l.json:2:1: a merge conflict is not resolved here"));
  CHECK(error_of("{\n}\n>>>>>>> theirs").starts_with("l.json:3:1: a merge conflict"));
  CHECK(error_of(R"({"oddsbound_lock": 2, "paths": [], "specs": {}, "accepted": []})").starts_with("l.json:1:20"));
  CHECK(
      error_of(
          R"({"oddsbound_lock": 1, "paths": [], "specs": {"a": {"content": "x", "levels": {"ldp": "-1"}}}, "accepted": []})")
          .find("/specs/a/levels/ldp") != std::string::npos);
  CHECK(
      error_of(
          R"({"oddsbound_lock": 1, "paths": [], "specs": {"a": {"content": "x", "verdicts": {"v": "maybe"}}}, "accepted": []})")
          .find("verdict") != std::string::npos);
  CHECK(error_of(R"({"oddsbound_lock": 1)").starts_with("l.json:1:"));
  CHECK(error_of(R"({"oddsbound_lock": 1, "paths": [], "specs": {}, "accepted": []})").find("nothing is locked") !=
        std::string::npos);
  CHECK(error_of(R"({"oddsbound_lock": 1, "paths": [], "specs": {"./a": {"content": "x"}}, "accepted": []})")
            .find("shortest form") != std::string::npos);
}
