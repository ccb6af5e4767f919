// What a lock reports about changes: exact comparisons, nothing lost.

#include <unistd.h>

#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>

#include "app/lock.h"
#include "specs/reading.h"
#include "tests/support/temporary_folder.h"
#include "verifier/exact/expression.h"

using namespace oddsbound;

namespace {

using Values = std::map<std::string, std::string>;

// "2 to 3" is a level whose search was stopped.
MeasuredSpec measured(const Values& levels, const Values& deltas = {}, const Values& verdicts = {}) {
  MeasuredSpec spec;
  spec.file = "a.json";
  spec.content = spec.content_hash = "hash";
  for (const auto& [key, text] : levels) {
    const auto [lower, upper] = ends_of_level(text);
    spec.levels[key] = {level_of_text(lower), level_of_text(upper)};
  }
  for (const auto& [key, text] : deltas) spec.deltas[key] = {parse_number(text)};
  spec.verdicts = verdicts;
  return spec;
}

// The same spec with levels that depend on a confidential table.
MeasuredSpec confidential(MeasuredSpec spec) {
  spec.confidential = true;
  for (auto& [key, level] : spec.levels) level.facts = {true, true};
  for (auto& [key, delta] : spec.deltas) delta.facts = {true, true};
  return spec;
}

Lock locked(const MeasuredSpec& spec, const LockOptions& options = {}) {
  Lock lock;
  lock.paths = {"."};
  lock.specs["a.json"] = promises_for(spec, options);
  return lock;
}

// As version 0.5 wrote it.
Lock locked_by_format_1(const Values& levels, const Values& deltas = {}) {
  Lock lock;
  lock.format = 1;
  lock.paths = {"."};
  lock.specs["a.json"].content = "hash";
  lock.specs["a.json"].levels = levels;
  lock.specs["a.json"].deltas = deltas;
  return lock;
}

// Outcomes of the checks that do not pass; a single kPass if all pass.
std::vector<Outcome> outcomes(const Lock& lock, const MeasuredSpec& now, bool strict = false) {
  std::vector<Outcome> found;
  for (const Check& check : compare_with_lock(lock, {{"a.json", now}}, {}, strict).list) {
    if (check.outcome != Outcome::kPass) found.push_back(check.outcome);
  }
  return found.empty() ? std::vector{Outcome::kPass} : found;
}

using Outcomes = std::vector<Outcome>;

const std::string kJustAbove3 =
    "log(30000000000000000000000000000000000000001/10000000000000000000000000000000000000000)";
const std::string kJustBelow3 =
    "log(29999999999999999999999999999999999999999/10000000000000000000000000000000000000000)";

}  // namespace

TEST_CASE("what is as locked passes") {
  const MeasuredSpec spec =
      measured({{"ldp", "log(3)"}, {"cdp a", "inf"}}, {{"approximate_dp", "1/4"}}, {{"x", "holds"}});
  for (const MeasuredSpec& one : {spec, confidential(spec)}) {
    CHECK(outcomes(locked(one), one) == Outcomes{Outcome::kPass});
    CHECK(outcomes(locked(one), one, true) == Outcomes{Outcome::kPass});
  }
}

TEST_CASE("a promise is compared exactly: one part in 10^40 breaks it, another spelling does not") {
  const Lock lock = locked(measured({{"ldp", "log(3)"}}));
  CHECK(outcomes(lock, measured({{"ldp", kJustAbove3}})) == Outcomes{Outcome::kFail});
  CHECK(outcomes(lock, measured({{"ldp", kJustBelow3}}), true) == Outcomes{Outcome::kPass});
  CHECK(outcomes(lock, measured({{"ldp", "log(6) - log(2)"}})) == Outcomes{Outcome::kPass});
  CHECK(outcomes(lock, measured({{"ldp", "inf"}})) == Outcomes{Outcome::kFail});
  CHECK(outcomes(locked(measured({{"ldp", "inf"}})), measured({{"ldp", "inf"}})) == Outcomes{Outcome::kPass});
}

TEST_CASE("failures are listed by their growth, infinite levels first") {
  const MeasuredSpec then = measured({{"a", "log(2)"}, {"b", "log(2)"}, {"c", "log(2)"}, {"d", "log(9)"}}),
                     now = measured({{"a", "log(3)"}, {"b", "inf"}, {"c", "log(5)"}, {"d", "log(10)"}});
  const auto order = [](const MeasuredSpec& before, const MeasuredSpec& after) {
    const reports::Checks checks = compare_with_lock(locked(before), {{"a.json", after}}, {}, false);
    std::string keys;
    for (const Check* check : worst_first(checks)) keys += check->title;
    return keys;
  };
  CHECK(order(then, now) == "bcad");
  CHECK(order(confidential(then), confidential(now)) == "bcad");
}

TEST_CASE("a failure shows odds factors only if the level bounds odds") {
  const MeasuredSpec then = measured({{"ldp", "log(2)"}, {"zcdp", "1/2"}, {"information", "1/8"}}),
                     now = measured({{"ldp", "log(3)"}, {"zcdp", "3/4"}, {"information", "1/4"}});
  for (const bool withheld : {false, true}) {
    const auto shown = [&](const MeasuredSpec& one) { return withheld ? confidential(one) : one; };
    int failures = 0;
    for (const Check& check : compare_with_lock(locked(shown(then)), {{"a.json", shown(now)}}, {}, false).list) {
      if (check.outcome != Outcome::kFail) continue;
      ++failures;
      CHECK((check.brief.find("odds factor") != std::string::npos) == (check.title == "ldp"));
    }
    CHECK(failures == 3);
  }
}

TEST_CASE("format 1 keeps exact levels: one that shrank is a note") {
  const Lock lock = locked_by_format_1({{"ldp", "log(3)"}}, {{"d", "1/4"}});
  const auto against = [&](const std::string& level, const std::string& delta, bool strict = false) {
    return outcomes(lock, measured({{"ldp", level}}, {{"d", delta}}), strict);
  };
  CHECK(against("log(3)", "1/4") == Outcomes{Outcome::kPass});
  CHECK(against(kJustAbove3, "1/4") == Outcomes{Outcome::kFail});
  CHECK(against(kJustBelow3, "1/4") == Outcomes{Outcome::kNote});
  CHECK(against(kJustBelow3, "1/4", true) == Outcomes{Outcome::kFail});
  CHECK(against("log(3)", "251/1000") == Outcomes{Outcome::kFail});
  CHECK(against("log(3)", "249/1000") == Outcomes{Outcome::kNote});
}

TEST_CASE("a level between two bounds passes by its upper one, fails by its lower one, and is undecided between") {
  const auto against = [&](const std::string& promise, const std::string& now) {
    const Outcome of_2 = outcomes(locked(measured({{"bcdp a", promise}})), measured({{"bcdp a", now}})).at(0);
    const Outcome of_1 = outcomes(locked_by_format_1({{"bcdp a", promise}}), measured({{"bcdp a", now}})).at(0);
    if (of_1 != Outcome::kNote) CHECK(of_1 == of_2);
    return of_2;
  };
  CHECK(against("log(5)", "log(3) to log(5)") == Outcome::kPass);
  CHECK(against("log(5)", "log(2) to log(4)") == Outcome::kPass);
  CHECK(against("log(5)", "log(3) to log(6)") == Outcome::kUndecided);
  CHECK(against("log(5)", "log(5) to log(6)") == Outcome::kUndecided);  // if the level is log(5), nothing changed
  CHECK(against("log(5)", "log(6) to inf") == Outcome::kFail);
  CHECK(against("log(5)", "log(4) to inf") == Outcome::kUndecided);
  CHECK(against("inf", "log(3) to inf") == Outcome::kPass);
  // The promise of a level whose search was stopped is its upper end.
  CHECK(against("log(3) to log(5)", "log(5)") == Outcome::kPass);
  CHECK(against("log(3) to log(5)", "log(6)") == Outcome::kFail);
  CHECK(against("log(3) to log(5)", "log(5) to log(6)") == Outcome::kUndecided);
  // A case from a review: 6.50 was locked; now the level is only known to lie in [4.45, 31.86].
  CHECK(against("13/2", "89/20 to 1593/50") == Outcome::kUndecided);
}

TEST_CASE("promises about a confidential table are rounded up to three digits, others are exact") {
  const Values levels{{"bcdp a", "log(1957115/772857)"}, {"bcdp b", "log(3) to 9/4"}, {"bdp", "inf"}, {"cdp a", "0"}};
  const LockedSpec rounded = promises_for(confidential(measured(levels, {{"d", "1234567/10000000"}})), {});
  CHECK(rounded.levels == Values{{"bcdp a", "0.93"}, {"bcdp b", "2.25"}, {"bdp", "inf"}, {"cdp a", "0"}});
  CHECK(rounded.deltas == Values{{"d", "0.124"}});
  const LockedSpec exact = promises_for(measured(levels), {});
  CHECK(exact.levels.at("bcdp a") == "log(1957115/772857)");
  CHECK(exact.levels.at("bcdp b") == "9/4");
  // Growth below the rounding step passes, above it fails.
  const Lock lock = locked(confidential(measured({{"bcdp a", "9291/10000"}})));
  CHECK(outcomes(lock, confidential(measured({{"bcdp a", "93/100"}}))) == Outcomes{Outcome::kPass});
  CHECK(outcomes(lock, confidential(measured({{"bcdp a", "9300001/10000000"}}))) == Outcomes{Outcome::kFail});
}

TEST_CASE("no promise exceeds the LDP level, which bounds the levels under every prior") {
  MeasuredSpec now =
      confidential(measured({{"ldp", "log(3)"}, {"bdp", "1.09"}, {"bcdp a", "0.5"}, {"bcdp b", "log(3)"}}));
  now.levels.at("ldp").facts = {};
  LockOptions five;
  five.headroom = Number::ratio(5, 100);
  const LockedSpec spec = promises_for(now, five);
  CHECK(spec.levels == Values{{"ldp", "log(3)"}, {"bdp", "log(3)"}, {"bcdp a", "0.525"}, {"bcdp b", "log(3)"}});
  CHECK(promises_for(now, {}).levels.at("bcdp b") == "log(3)");  // and not 1.1
  // Writing again keeps the promises, also when the LDP level has changed.
  CHECK(renewed_promises(spec, now, five, false).levels == spec.levels);
  now.levels.at("ldp") = {level_of_text("1.095"), level_of_text("1.095")};
  now.levels.at("bcdp b") = {level_of_text("1"), level_of_text("1"), {true, true}};
  CHECK(renewed_promises(spec, now, five, false).levels == spec.levels);
  // A level that LDP does not bound (a bound of it, say) has its headroom.
  now.bounds["bound of composition: bcdp a"] = {level_of_text("2"), level_of_text("2"), {true, true}};
  CHECK(promises_for(now, five).bounds.at("bound of composition: bcdp a") == "2.1");
}

TEST_CASE("headroom is left once: writing again never raises a promise, and lowers it only where that is asked") {
  const LockOptions five{Number(1) / Number(20)};
  MeasuredSpec now = confidential(measured({{"bcdp a", "1"}}, {{"d", "1/2"}}));
  LockedSpec spec = promises_for(now, five);
  CHECK(spec.levels.at("bcdp a") == "1.05");
  CHECK(spec.deltas.at("d") == "0.525");
  for (int round = 1; round <= 50; ++round) {
    now = confidential(measured({{"bcdp a", "1 + " + std::to_string(round) + "/1000"}}, {{"d", "1/2"}}));
    CHECK(spec == renewed_promises(spec, now, five, false));
    spec = renewed_promises(spec, now, five, false);
  }
  now = confidential(measured({{"bcdp a", "1/2"}}, {{"d", "1/2"}}));
  CHECK(renewed_promises(spec, now, five, false).levels.at("bcdp a") == "1.05");
  CHECK(renewed_promises(spec, now, {five.headroom, true}, false).levels.at("bcdp a") == "0.525");
  now = confidential(measured({{"bcdp a", "2"}}, {{"d", "1/2"}}));
  CHECK(renewed_promises(spec, now, five, false).levels.at("bcdp a") == "1.05");
  CHECK(renewed_promises(spec, now, five, true).levels.at("bcdp a") == "2.1");
  // Levels that depend on the mechanism alone get no headroom. A delta is a probability, so it is at most 1.
  CHECK(promises_for(measured({{"ldp", "log(3)"}}), five).levels.at("ldp") == "log(3)");
  CHECK(promises_for(confidential(measured({}, {{"d", "99/100"}})), five).deltas.at("d") == "1");
}

TEST_CASE("deltas and verdicts that got worse fail") {
  CHECK(outcomes(locked(measured({}, {{"d", "1/4"}})), measured({}, {{"d", "251/1000"}})) == Outcomes{Outcome::kFail});
  CHECK(outcomes(locked(measured({}, {{"d", "1/4"}})), measured({}, {{"d", "249/1000"}})) == Outcomes{Outcome::kPass});
  CHECK(outcomes(locked(measured({}, {}, {{"v", "holds"}})), measured({}, {}, {{"v", "refuted"}})) ==
        Outcomes{Outcome::kFail});
  CHECK(outcomes(locked(measured({}, {}, {{"v", "refuted"}})), measured({}, {}, {{"v", "holds"}})) ==
        Outcomes{Outcome::kNote});
}

TEST_CASE("a delta between two bounds fails above its promise, and is undecided around it") {
  const Lock lock = locked(measured({}, {{"d", "1/4"}}));
  const auto between = [](const char* least, const char* most) {
    MeasuredSpec now = measured({}, {{"d", most}});
    now.deltas.at("d").at_least = parse_number(least);
    return now;
  };
  CHECK(outcomes(lock, between("24/100", "1/4")) == Outcomes{Outcome::kPass});
  CHECK(outcomes(lock, between("24/100", "26/100")) == Outcomes{Outcome::kUndecided});
  CHECK(outcomes(lock, between("1/4", "26/100")) == Outcomes{Outcome::kUndecided});
  CHECK(outcomes(lock, between("251/1000", "26/100")) == Outcomes{Outcome::kFail});
  CHECK(promises_for(between("24/100", "1/4"), {}).deltas == Values{{"d", "1/4"}});
}

TEST_CASE("a level that is no longer measured fails, unless a limit left it open: then it is undecided") {
  const Lock lock = locked(measured({{"ldp", "1"}, {"bcdp a", "1"}}));
  MeasuredSpec now = measured({{"ldp", "1"}});
  CHECK(outcomes(lock, now) == Outcomes{Outcome::kFail});
  now.open["bcdp a"] = "--max-seconds";
  CHECK(outcomes(lock, now) == Outcomes{Outcome::kUndecided});
}

TEST_CASE("a level that analyze shows and nothing promises fails; one that a new claim asks for is a note") {
  const Lock lock = locked(measured({{"ldp", "1"}}));
  MeasuredSpec now = measured({{"ldp", "1"}, {"bcdp a", "1"}});
  CHECK(outcomes(lock, now) == Outcomes{Outcome::kNote});
  now.levels.at("bcdp a").of_analysis = true;
  CHECK(outcomes(lock, now) == Outcomes{Outcome::kFail});
}

TEST_CASE("bounds beside levels are promised, and a note where they appear or do not apply any more") {
  const auto with = [](const char* bound) {
    MeasuredSpec spec = measured({{"ldp", "1"}});
    if (bound != nullptr) spec.bounds["bound of Proposition 4: bcdp a"] = {level_of_text(bound), level_of_text(bound)};
    return spec;
  };
  CHECK(outcomes(locked(with("1")), with("1")) == Outcomes{Outcome::kPass});
  CHECK(outcomes(locked(with("1")), with("2")) == Outcomes{Outcome::kFail});
  CHECK(outcomes(locked(with("1")), with(nullptr)) == Outcomes{Outcome::kNote});
  CHECK(outcomes(locked(with(nullptr)), with("1")) == Outcomes{Outcome::kNote});
  CHECK(outcomes(locked_by_format_1({{"ldp", "1"}}), with("1")) == Outcomes{Outcome::kPass});  // format 1 had no bounds
  MeasuredSpec open = with(nullptr);
  open.open_bounds = "--max-cells";
  CHECK(outcomes(locked(with("1")), open) == Outcomes{Outcome::kUndecided});
}

TEST_CASE("a claim that is gone, weaker or expected to fail is a failure; a stronger one is none") {
  const auto with = [](std::vector<LockedClaim> claims) {
    MeasuredSpec spec = measured({{"ldp", "1"}});
    if (!claims.empty()) spec.claims["ldp"] = std::move(claims);
    return spec;
  };
  const auto against = [&](const LockedClaim& before, std::vector<LockedClaim> now) {
    return outcomes(locked(with({before})), with(std::move(now))).at(0);
  };
  const LockedClaim holds{true, false, "1"};
  CHECK(against(holds, {holds}) == Outcome::kPass);
  CHECK(against(holds, {}) == Outcome::kFail);
  CHECK(against(holds, {{true, false, "2"}}) == Outcome::kFail);
  CHECK(against(holds, {{false, false, "1"}}) == Outcome::kFail);
  CHECK(against(holds, {{true, false, "1/2"}}) == Outcome::kPass);
  CHECK(against(holds, {{true, true, "1"}}) == Outcome::kPass);
  CHECK(against(holds, {{true, false, "2"}, holds}) == Outcome::kPass);
  CHECK(against({true, true, "1"}, {holds}) == Outcome::kFail);
  CHECK(against({true, true, "1"}, {{true, true, "1/2"}}) == Outcome::kFail);
  CHECK(against({false, false, "1"}, {{false, false, "2"}}) == Outcome::kPass);
  CHECK(against({false, false, "1"}, {{false, false, "1/2"}}) == Outcome::kFail);
  CHECK(against({true, false, "log(t)"}, {{true, false, "log(t)"}}) == Outcome::kPass);
  CHECK(against({true, false, "log(t)"}, {{true, false, "log(2*t)"}}) == Outcome::kFail);
  CHECK(outcomes(locked(with({})), with({holds})) == Outcomes{Outcome::kNote});
}

TEST_CASE("another set of priors and another public attribute are another question") {
  MeasuredSpec spec = measured({{"ldp", "1"}});
  spec.sets["near"] = "sha256:a";
  const Lock lock = locked(spec);
  MeasuredSpec other = spec;
  other.sets["near"] = "sha256:b";
  CHECK(outcomes(lock, other) == Outcomes{Outcome::kFail});
  other.sets["near"] = "";  // the set is confidential, and there is no key
  CHECK(outcomes(lock, other) == Outcomes{Outcome::kUndecided});
  CHECK(outcomes(locked(other), other) == Outcomes{Outcome::kUndecided});
  other = spec;
  other.public_attributes = {"a"};
  CHECK(outcomes(lock, other) == Outcomes{Outcome::kFail});
}

TEST_CASE("content is compared by a digest that only who has the key can make, or not at all") {
  MeasuredSpec spec = confidential(measured({{"bcdp a", "1"}}));
  spec.content = "";
  CHECK(outcomes(locked(spec), spec, true) == Outcomes{Outcome::kPass});
  CHECK(lock_text(locked(spec)).find("\"content\"") == std::string::npos);
  spec.by_content = {kAllLevels};
  CHECK(outcomes(locked(spec), spec) == Outcomes{Outcome::kUndecided});
}

TEST_CASE("format 1 becomes format 2: exact levels become promises, which are rounded where a table is confidential") {
  const LockedSpec before =
      locked_by_format_1({{"bcdp a", "log(1957115/772857)"}, {"old key", "log(2) to 1"}}).specs.at("a.json");
  MeasuredSpec now = measured({{"bcdp a", "log(2)"}, {"new key", "log(2)"}, {"bdp", "log(3)"}});
  now.earlier_keys["new key"] = "old key";
  CHECK(upgraded_promises(before, now).levels ==
        Values{{"bcdp a", "log(1957115/772857)"}, {"bdp", "log(3)"}, {"new key", "1"}});
  CHECK(upgraded_promises(before, confidential(now)).levels ==
        Values{{"bcdp a", "0.93"}, {"bdp", "1.1"}, {"new key", "1"}});
}

TEST_CASE("removed specs fail and new ones are notes; a moved one is compared with what it was") {
  const MeasuredSpec spec = measured({{"ldp", "1"}});
  const Lock lock = locked(spec);
  const Checks gone = compare_with_lock(lock, {}, {"a.json"}, false);
  REQUIRE(gone.list.size() == 1);
  CHECK(gone.list[0].outcome == Outcome::kFail);
  CHECK(compare_with_lock(lock, {{"b.json", spec}}, {"a.json"}, false).count(Outcome::kNote) == 1);
  MeasuredSpec looser = measured({{"ldp", "2"}});
  looser.content = "other";
  const Checks replaced = compare_with_lock(lock, {{"b.json", looser}}, {"a.json"}, false);
  CHECK(replaced.count(Outcome::kFail) == 1);
  CHECK(replaced.count(Outcome::kNote) == 1);
}

TEST_CASE("what is not measured in numbers fails when it changes; a proof of tightness may not come to hold either") {
  MeasuredSpec spec = measured({}, {}, {{"ldp epsilon \"2*log(t)\" tight true", "refuted"}});
  spec.by_content = {kAllLevels};
  Lock lock = locked(spec);
  CHECK(outcomes(lock, spec) == Outcomes{Outcome::kPass});
  lock.specs["a.json"].content = "other";
  CHECK(outcomes(lock, spec) == Outcomes{Outcome::kFail});
  spec.verdicts.begin()->second = "holds";
  lock.specs["a.json"].content = spec.content;
  CHECK(outcomes(lock, spec) == Outcomes{Outcome::kFail});
}

TEST_CASE("specs with symbols and continuous outputs are known to have no levels") {
  const std::string specs = ODDSBOUND_SOURCE_DIR "/specs/";
  const std::set<std::string> all{kAllLevels};
  CHECK(measure_for_lock(specs + "parametric/warner.json", {}).by_content == all);
  CHECK(measure_for_lock(specs + "gallery/duchi-l2-ball.json", {}).by_content == all);
  CHECK(measure_for_lock(specs + "gallery/warner.json", {}).by_content.empty());
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
  CHECK(before.levels.at("loss from [\"0\"] to [\"1\"]").upper == level_of_text("log(5)"));
  CHECK(before.levels.at("loss from [\"1\"] to [\"0\"]").upper == level_of_text("log(9/5)"));
  const MeasuredSpec after = measure(R"(["999/1000", "1/1000"])");
  CHECK(before.verdicts.begin()->second == "holds");
  CHECK(after.verdicts.begin()->second == "refuted");
}

TEST_CASE("a limit leaves a secret open: undecided, not gone") {
  const std::string file = ODDSBOUND_SOURCE_DIR "/specs/gallery/parity-secret.json";
  const MeasuredSpec before = measure_for_lock(file);
  Limits limits;
  limits.max_cells = 3;  // less than one answer needs
  Lock lock;
  lock.specs["a"] = promises_for(before, {});
  const Checks checks = compare_with_lock(lock, {{"a", measure_for_lock(file, {}, limits)}}, {}, false);
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
  LockedSpec& spec = lock.specs.at("a.json");
  spec.claims["ldp"] = {{true, true, "log(3)"}, {false, false, "1/2"}};
  spec.claims["post_processing_of"] = {{true, false, ""}};
  spec.bounds["bound of Proposition 4: ldp"] = "2";
  spec.public_attributes = {"a"};
  spec.sets = {{"near", "sha256:0"}, {"far", ""}};
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
  CHECK(error_of(R"({"oddsbound_lock": 3, "paths": [], "specs": {}, "accepted": []})").starts_with("l.json:1:20"));
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

namespace {

MeasuredSpec measured_text(const std::string& text, const std::string& key = "") {
  const std::string file =
      std::filesystem::temp_directory_path() / ("oddsbound-lock-" + std::to_string(getpid()) + ".json");
  std::ofstream(file) << text;
  MeasuredSpec spec = measure_for_lock(file, {}, {}, key);
  std::filesystem::remove(file);
  return spec;
}

// Two bits; the second one is published with noise.
std::string two_bits(const std::string& prior, const std::string& rows, const std::string& rest = "") {
  return R"j({"oddsbound": 1, "name": "t", "domain": [{"name": "a", "size": 2}, {"name": "b", "size": 2}], "prior": )j" +
         prior + R"j(, "mechanism": {"type": "on", "coordinates": ["b"], "mechanism": {"type": "matrix",
         "outputs": 2, "rows": )j" +
         rows + "}}" + rest + "}";
}

const std::string kCounts = R"({"type": "counts", "counts": [3, 1, 1, 3]})";
const std::string kNoise = R"([["3/4", "1/4"], ["1/4", "3/4"]])";

}  // namespace

TEST_CASE("behind an infinite level delta is locked, for the analysis, claims and who knows what is public") {
  const std::string rare = R"([["1", "0"], ["999/1000", "1/1000"]])";
  const MeasuredSpec spec = measured_text(two_bits(
      kCounts, rare,
      R"j(, "claims": [{"notion": "secret", "secret": {"no": [["0", "0"], ["1", "0"]], "yes": [["0", "1"], ["1", "1"]]}, "epsilon": "inf"},
       {"notion": "bcdp", "epsilon": {"a": "inf"}, "for_all": {"type": "all"}}])j"));
  // P(1 given b = 1) = 1/1000, and P(1 given b = 0) = 0.
  CHECK(spec.deltas.at("ldp: delta at epsilon 1").delta == Number::ratio(1, 1000));
  CHECK(spec.deltas.at("ldp: delta at epsilon 16").delta == Number::ratio(1, 1000));
  CHECK(spec.deltas.at("cdp b: delta at epsilon 0").delta == Number::ratio(1, 1000));
  CHECK(!spec.deltas.contains("cdp a: delta at epsilon 0"));
  std::size_t of_secret = 0;
  for (const auto& [key, delta] : spec.deltas) of_secret += key.starts_with("secret") ? 1 : 0;
  CHECK(of_secret == 4);
  CHECK(spec.by_content.size() == 1);  // over all priors
  const std::string open = two_bits(kCounts, rare);
  std::string known = open;
  known.replace(known.find(R"({"name": "a", "size": 2})"), 24, R"({"name": "a", "size": 2, "public": true})");
  CHECK(measured_text(known).deltas.contains("bcdp known [\"a\"] b: delta at epsilon 4"));
}

TEST_CASE("sets of priors are known by what they evaluate to") {
  const auto set_of = [](const std::string& set, const std::string& parameters) {
    const MeasuredSpec spec = measured_text(
        two_bits(R"({"type": "uniform"})", kNoise,
                 R"(, "parameters": {"p": ")" + parameters +
                     R"("}, "claims": [{"notion": "bcdp", "epsilon": {"a": "9"}, "for_all": )" + set + "}]"));
    REQUIRE(spec.sets.size() == 1);
    return spec.sets.begin()->second;
  };
  const std::string intervals =
      R"j({"type": "intervals", "lower": {"rows": [[["0", "1"], "1/4-p"]], "default": "1/8"}, "upper": {"rows": [], "default": "1/2"}})j";
  CHECK(set_of(intervals, "1/16") == set_of(intervals, "0.0625"));
  CHECK(set_of(intervals, "1/16") != set_of(intervals, "1/32"));
  const std::string lists =
      R"j({"type": "any_of", "priors": [{"type": "uniform"}, {"type": "product", "marginals": {"a": ["p", "1-p"], "b": ["1/2", "1/2"]}}]})j";
  CHECK(set_of(lists, "1/16") != set_of(lists, "1/32"));
  CHECK(set_of(R"j({"type": "correlation", "at_most": {"a": "p"}})j", "1/16") !=
        set_of(R"j({"type": "correlation", "at_most": {"a": "p"}})j", "1/8"));
  CHECK(set_of(R"j({"type": "weights", "factor": "1+p"})j", "1").starts_with("sha256:"));
}

TEST_CASE("content of a confidential table is told by nobody without the key, and a sample not by its size") {
  const std::string claim =
      R"j(, "claims": [{"notion": "bcdp", "epsilon": {"a": "9"}, "for_all": {"type": "sample", "confidence": "0.9"}}])j";
  const MeasuredSpec without = measured_text(two_bits(kCounts, kNoise, claim));
  const MeasuredSpec with = measured_text(two_bits(kCounts, kNoise, claim), "key");
  CHECK(without.confidential);
  CHECK(without.content.empty());
  CHECK(with.content.starts_with("hmac-sha256:"));
  CHECK(with.content != measured_text(two_bits(kCounts, kNoise, claim), "another").content);
  CHECK(with.sets.begin()->first == "priors that the draws of the table allow at confidence 0.9");
  const MeasuredSpec marginals = measured_text(
      two_bits(R"({"type": "uniform"})", kNoise,
               R"j(, "claims": [{"notion": "bcdp", "epsilon": {"a": "9"}, "for_all": {"type": "marginals", "tables": [
               {"of": ["a"], "prior": {"type": "counts", "counts": [1, 1]}}]}}])j"));
  CHECK(marginals.sets.begin()->second.empty());
}

TEST_CASE("a spec of a prior that shows a level has a table, and is confidential, where that of the set is") {
  const auto witness_of = [](const std::string& published) {
    const std::string prior = R"j({"type": "counts", "counts": [3, 1, 1, 3])j" + published + "}";
    const std::string text = two_bits(
        prior, kNoise,
        R"j(, "claims": [{"notion": "bcdp", "epsilon": {"a": "9"}, "for_all": {"type": "any_of", "priors": [)j" +
            prior + "]}}]");
    Budget budget;
    const Spec spec = read_spec_text("w.json", ".", text, budget);
    VerifyOptions options;
    options.witness_specs = true;
    const SpecResult result = evaluate(spec, budget, options);
    REQUIRE(result.witness_specs.size() == 1);
    const Spec again = read_spec_text("again.json", ".", result.witness_specs[0].text, budget);
    for (const ClaimResult& claim : evaluate(again, budget, {}).claims) CHECK(claim.ok());
    return again.confidential_prior;
  };
  CHECK(witness_of(""));
  CHECK(!witness_of(R"(, "published": true)"));
}

TEST_CASE("several errors of a lock are found together, each at its place") {
  Budget budget;
  const std::string text = R"({"oddsbound_lock": 2, "paths": ["."], "specs": {
    "a.json": {"bounds": {}, "by_content": [], "claims": {}, "content": "", "deltas": {"d": "x"},
               "levels": {"ldp": "no level", "cdp x": "1", "bcdp x": "?"}, "public": [], "sets": {}, "verdicts": {}},
    "./b.json": {}}, "accepted": 7})";
  std::vector<std::string> pointers;
  try {
    read_lock("l.json", text, budget);
  } catch (const SpecErrors& errors) {
    for (const SpecError& error : errors.all()) pointers.push_back(error.place().pointer);
  }
  CHECK(pointers == std::vector<std::string>{"/specs/a.json/deltas/d", "/specs/a.json/levels/ldp",
                                             "/specs/a.json/levels/bcdp x", "/specs/.~1b.json", "/accepted"});
}

TEST_CASE("claims that are not as expected are named") {
  const testing::TemporaryFolder folder;
  std::ofstream(folder.file("s.json")) << R"({"oddsbound": 1, "name": "s", "domain": [{"name": "x", "size": 2}],
    "mechanism": {"type": "k_randomized_response", "epsilon": "1"}, "claims": [{"notion": "ldp", "epsilon": "1/2"},
    {"notion": "ldp", "epsilon": "1"}, {"notion": "ldp", "epsilon": "1/2", "expect": "refuted"}]})";
  CHECK(measure_for_lock(folder.file("s.json")).failing == std::vector<std::string>{"ldp <= 1/2"});
}

TEST_CASE("keys do not depend on the order of protected outputs or of neighbors") {
  const auto key_of = [](const std::string& claim) {
    Budget budget;
    const Spec spec =
        read_spec_text("a.json", ".",
                       R"j({"oddsbound": 1, "name": "a", "domain": [{"name": "x", "values": ["a", "b", "c"]}],
             "mechanism": {"type": "matrix", "outputs": ["a", "b", "c"],
                           "rows": [["1/2", "1/2", 0], ["1/4", "3/4", 0], ["1/4", "1/4", "1/2"]]}, "claims": [)j" +
                           claim + "]}",
                       budget);
    return Keys(spec, budget).of_claim(spec.claims.at(0));
  };
  const auto protecting = [&](const std::string& outputs) {
    return key_of(
        R"j({"notion": "utility_optimized_ldp", "sensitive": [["a"], ["b"]], "epsilon": "log(2)", "protected": )j" +
        outputs + "}");
  };
  CHECK(protecting(R"j(["a", "b"])j") == protecting(R"j(["b", "a"])j"));
  CHECK(protecting(R"j(["a", "b"])j") != protecting(R"j(["a"])j"));
  const auto between = [&](const std::string& pairs) {
    return key_of(R"j({"notion": "approximate_dp", "epsilon": "1", "delta": "1/2", "neighbors": {"pairs": )j" + pairs +
                  "}}");
  };
  CHECK(between(R"j([[["a"], ["b"]], [["b"], ["c"]]])j") == between(R"j([[["c"], ["b"]], [["a"], ["b"]]])j"));
  CHECK(between(R"j([[["a"], ["b"]], [["b"], ["c"]]])j") != between(R"j([[["a"], ["b"]], [["a"], ["c"]]])j"));
}
