// Every result that the program writes as JSON reads back without loss, and every format shows the same.

#include <doctest/doctest.h>
#include <cstdlib>
#include <filesystem>

#include "app/exhaustive.h"
#include "app/lock.h"
#include "app/statistical.h"
#include "app/verify.h"
#include "reports/formats.h"
#include "reports/lock.h"
#include "reports/markdown.h"
#include "reports/text.h"
#include "reports/words.h"
#include "tests/support/effort.h"
#include "tests/support/read_back.h"

using namespace oddsbound;
using oddsbound::testing::effort;
using oddsbound::testing::read_back;

namespace {

// All specs of the folder; every third one in instrumented builds.
std::vector<std::string> specs_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(ODDSBOUND_SOURCE_DIR "/" + folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  std::size_t at = 0;
  std::erase_if(files, [&](const std::string&) { return at++ % std::size_t{effort(1, 3)} != 0; });
  return files;
}

void check_round_trip(const Report& run) {
  setenv("SOURCE_DATE_EPOCH", "0", 1);  // otherwise reports contain the time of writing
  const Report read = read_back(run);
  const std::string json = to_json(run);
  CHECK(to_json(read) == json);
  const Checks before = checks_of(run, run.exit_status()), after = checks_of(read, run.exit_status());
  for (const Format& format : formats()) {
    CAPTURE(format.name);
    CHECK(format.of_report(read, after, {true}) == format.of_report(run, before, {true}));
  }
}

RenderOptions full_detail() {
  RenderOptions options;
  options.detail = Detail::kFull;
  return options;
}

Context small_cells() {
  Context context;
  context.limits.max_cells = 4096;
  return context;
}

}  // namespace

TEST_CASE("what verify and analyze say is read back without loss") {
  for (const char* folder : {"specs/gallery", "tests/cli/specs"}) {
    for (const std::string& file : specs_in(folder)) {
      CAPTURE(file);
      VerifyOptions options;
      options.figures = true;
      options.figures_wanted = false;
      options.effects = file.find("house-votes.json") == std::string::npos;  // its averages take half a minute
      options.effects_wanted = false;
      const Report run = evaluate_files(std::vector{file}, options, small_cells());
      check_round_trip(run);
      CHECK(text_verification(read_back(run), {}) == text_verification(run, {}));
      CHECK(text_analysis(read_back(run), full_detail()) == text_analysis(run, full_detail()));
      options.figures = false;
      options.tradeoffs = true;
      options.decide_claims = false;
      check_round_trip(evaluate_files(std::vector{file}, options, small_cells()));
    }
  }
}

TEST_CASE("without an analysis nothing but the claims is measured, and this is read back") {
  for (const std::string& file : specs_in("specs/gallery")) {
    CAPTURE(file);
    VerifyOptions options;
    const Report whole = evaluate_files(std::vector{file}, options, small_cells());
    options.analysis = false;
    options.timings = true;
    const Report run = evaluate_files(std::vector{file}, options, small_cells());
    check_round_trip(run);
    CHECK(text_verification(run, {}) == text_verification(whole, {}));
    for (const SpecResult& spec : read_back(run).specs) {
      CHECK_FALSE(spec.analyzed);
      CHECK(spec.analysis.levels.empty());
      CHECK(spec.analysis.undecided.empty());
      CHECK_FALSE(spec.pairs);
      REQUIRE(spec.processor_seconds);
      for (const ClaimResult& claim : spec.claims) {
        CHECK(claim.processor_seconds.value_or(0) <= *spec.processor_seconds);
      }
    }
  }
}

// A level whose search was stopped, as for house-votes.
MeasuredLevel stopped(MeasuredLevel level, const Level& at_most) {
  level.unfinished = Unfinished{at_most, "the time limit was reached (--max-seconds 1)"};
  return level;
}

TEST_CASE("levels that lie between two bounds are read back without loss, and every format says so") {
  VerifyOptions options;
  const std::string file = ODDSBOUND_SOURCE_DIR "/specs/gallery/titanic.json";
  for (const Level& above : {level_of_text("9/2"), Level::infinite()}) {
    Report run = evaluate_files(std::vector{file}, options);
    SpecResult& spec = run.specs.at(0);
    for (auto& [notion, measured] : spec.analysis.levels) {
      auto* levels = std::get_if<std::vector<MeasuredLevel>>(&measured);
      if (notion != "bcdp") continue;
      levels->at(0) = stopped(levels->at(0), above);
      levels->at(0).nodes = 17;
      levels->at(1).nodes = 0;
    }
    spec.analysis.transport_bound = {std::nullopt, above, level_of_text("1/3"), std::nullopt};
    for (ClaimResult& claim : spec.claims) {
      auto* levels = std::get_if<NamedLevels>(&claim.decision.actual);
      if (levels == nullptr || claim.verdict != Verdict::kHolds || !claim.claimed) continue;
      levels->at(0).second = stopped(levels->at(0).second, above);
      claim.verdict = Verdict::kUndecided;
      claim.decision.holds = Answer::kOpen;
      claim.reason = open_reason(claim.decision.actual);
    }
    CHECK(run.undecided() > 0);
    check_round_trip(run);
    const std::string upper = above.is_infinite() ? "inf" : "4.5";
    const Checks checks = checks_of(run, 3);
    CHECK(text_analysis(run, {}).find(" to " + upper + " ") != std::string::npos);
    CHECK(text_verification(run, {}).find("(--max-seconds 1)") != std::string::npos);
    CHECK(to_json(run).find("\"at_most\"") != std::string::npos);
    CHECK(to_json(run).find("\"nodes\": 17") != std::string::npos);
    for (const char* format : {"html", "markdown"}) {
      const std::string text = find_format(format)->of_report(run, checks, {true});
      CHECK(text.find("bound of the losses between rows") != std::string::npos);
      CHECK(text.find("at most") != std::string::npos);
    }
    CHECK(text_analysis(run, full_detail()).find("losses between rows") != std::string::npos);
    for (const char* format : {"html", "markdown", "sarif"}) {
      CAPTURE(format);
      const std::string text = find_format(format)->of_report(run, checks, {true});
      CHECK(text.find(above.is_infinite() ? "at least " : "and 4.5") != std::string::npos);
    }
  }
}

TEST_CASE("a level of which only a bound is known is read back without a witness, and no other level is") {
  Report run = evaluate_files(std::vector<std::string>{ODDSBOUND_SOURCE_DIR "/specs/gallery/titanic.json"}, {});
  for (auto& [notion, measured] : run.specs.at(0).analysis.levels) {
    auto* levels = std::get_if<std::vector<MeasuredLevel>>(&measured);
    if (notion != "bcdp") continue;
    levels->at(0) = stopped({Level(), {}}, level_of_text("9/2"));
    levels->at(0).witness.update([&](Witness& witness) { witness.coordinate = run.specs[0].coordinates[0]; });
  }
  check_round_trip(run);
  CHECK(text_analysis(run, full_detail()).find("no output was searched") != std::string::npos);
  CHECK(find_format("html")->of_report(run, checks_of(run, 3), {true}).find("no output was searched") !=
        std::string::npos);
  for (auto& [notion, measured] : run.specs.at(0).analysis.levels) {
    if (notion == "bcdp") std::get<std::vector<MeasuredLevel>>(measured).at(0).at_least = level_of_text("1");
  }
  CHECK_THROWS_WITH_AS(read_back(run), doctest::Contains("expected a witness"), SpecError);
}

TEST_CASE("a delta that lies between two bounds is read back without loss, and every format says so") {
  const std::string file = ODDSBOUND_SOURCE_DIR "/tests/cli/specs/forty-answers.json";
  VerifyOptions options;
  Report run = evaluate_files(std::vector{file}, options);
  ClaimResult& claim = run.specs.at(0).claims.at(0);
  REQUIRE(claim.verdict == Verdict::kHolds);
  auto& delta = std::get<MeasuredNumber>(claim.decision.actual);
  REQUIRE(delta.unfinished);
  CHECK(delta.witness.unlisted);
  CHECK(claim.claimed->values.at(1).second.number()->sign() > 0);
  // The claimed 1/50 now lies between the bounds.
  delta.unfinished = {Number::ratio(1, 40), "the time limit was reached (--max-seconds 1)"};
  claim.verdict = Verdict::kUndecided;
  claim.decision.holds = Answer::kOpen;
  claim.reason = open_reason(claim.decision.actual);
  CHECK(run.undecided() == 1);
  check_round_trip(run);
  CHECK(text_verification(run, {}).find("undecided: delta between 0.0155071 and 0.025: the time limit") !=
        std::string::npos);
  CHECK(to_json(run).find("\"at_most\": \"1/40\"") != std::string::npos);
  for (const char* format : {"html", "markdown", "sarif"}) {
    CAPTURE(format);
    CHECK(find_format(format)->of_report(run, checks_of(run, 3), {true}).find("and 0.025") != std::string::npos);
  }
  delta.unfinished->at_most = delta.at_least;
  CHECK_THROWS_WITH_AS(read_back(run), doctest::Contains("it is not above 'at_least'"), SpecError);
}

TEST_CASE("what became of missing cells is read back without loss, and every page says it") {
  VerifyOptions options;
  Report run =
      evaluate_files(std::vector<std::string>{ODDSBOUND_SOURCE_DIR "/tests/cli/specs/open-values.json"}, options);
  SpecResult& spec = run.specs.at(0);
  REQUIRE(spec.tables.size() == 1);
  TableUse& table = spec.tables[0];
  table.file = "t.csv";
  const auto check_words = [&](const std::string& words) {
    CAPTURE(words);
    CHECK(table_words(table) == words);
    check_round_trip(run);
    const std::string html = find_format("html")->of_report(run, checks_of(run, 0), {true});
    CHECK(html.find("<p>Table: " + escaped_markup(words) + "</p>") != std::string::npos);
    CHECK(find_format("markdown")->of_report(run, checks_of(run, 0), {}).find("Table: ") != std::string::npos);
    CHECK(text_verification(run, {}).find("  table: " + words + "\n") != std::string::npos);
    CHECK(text_analysis(run, {}).find("  table: " + words + "\n") != std::string::npos);
  };
  check_words(
      "3 of 6 rows of t.csv, which count 7 of 28, have a missing cell (party 1, age 2) and are dropped, 3 kept");
  table.counted = table.counted_dropped = std::nullopt;
  table.dropped = 1;
  check_words("1 of 6 rows of t.csv has a missing cell (party 1, age 2) and is dropped, 5 kept");
  table.missing = Missing::kAs;
  table.as = "NA";
  table.dropped = 0;
  check_words("3 missing cells (party 1, age 2) in 6 rows of t.csv count as 'NA'");
  table.missing = Missing::kValue;
  table.as.clear();
  table.missing_cells = {{"age", 1}};
  check_words("1 missing cell (age 1) in 6 rows of t.csv is a value of its own");
  table.missing_cells.clear();
  check_words("no cell in 6 rows of t.csv is missing");
  for (const bool more_dropped : {true, false}) {
    table.missing = Missing::kDrop;
    table.missing_cells = {{"age", 7}};
    table.dropped = more_dropped ? 7 : 1;
    table.counted = Number(5);
    table.counted_dropped = Number(more_dropped ? 1 : 6);
    CHECK_THROWS_AS(read_back(run), SpecError);
  }
}

TEST_CASE("what both engines say is read back without loss") {
  VerifyOptions options;
  options.engine = Engine::kBoth;
  options.smt.seconds = 5;
  for (const char* name : {"warner", "half-copied", "symbolic-response"}) {
    const std::string file = ODDSBOUND_SOURCE_DIR "/specs/gallery/" + std::string(name) + ".json";
    if (std::filesystem::exists(file)) check_round_trip(evaluate_files(std::vector{file}, options));
  }
}

TEST_CASE("what an exhaustive audit says is read back without loss") {
  ExhaustiveOptions options;
  options.keep_intervals = options.accept_exceptions = true;
  for (const char* name : {"warner", "half-copied", "hadamard-response", "duchi-l2-ball"}) {
    CAPTURE(name);
    const std::string file = ODDSBOUND_SOURCE_DIR "/specs/gallery/" + std::string(name) + ".json";
    const Report run = audit_files(std::vector{file}, options, Limits());
    check_round_trip(run);
    CHECK(text_audits(read_back(run)) == text_audits(run));
  }
}

TEST_CASE("what audits by statistics say is read back without loss") {
  std::vector<AuditRequest> requests(5);
  for (AuditRequest& request : requests) {
    request.spec = ODDSBOUND_SOURCE_DIR "/specs/gallery/titanic.json";
    request.options.samples = 20'000;
    request.options.seed = 3;
  }
  requests[1].until = true;
  requests[2].options.all_levels = true;
  requests[3].options.samples = 100;  // too few
  requests[4].spec = ODDSBOUND_SOURCE_DIR "/tests/cli/specs/coin-left-out.json";
  requests[4].until = true;
  const Report run = run_audits(requests, Limits());
  REQUIRE(run.audits.size() == 4);
  const std::vector<ClaimLeftOut>& left_out = run.audits[3].statistical()->left_out;
  REQUIRE(left_out.size() == 2);
  CHECK(left_out[0].claim == 1);
  CHECK(left_out[1].claim == 2);
  CHECK(run.errors.size() == 1);
  check_round_trip(run);
  CHECK(text_audits(read_back(run)) == text_audits(run));
}

TEST_CASE("the lock of every spec is read back without loss, and is as it was") {
  Lock lock;
  std::map<std::string, MeasuredSpec> now;
  for (const char* folder : {"specs/gallery", "tests/cli/specs"}) {
    for (const std::string& file : specs_in(folder)) {
      SmtOptions smt;
      smt.seconds = 0.5;
      const std::string name = std::filesystem::path(file).lexically_relative(ODDSBOUND_SOURCE_DIR).string();
      MeasuredSpec spec = measure_for_lock(file, smt, small_cells().limits);
      if (!spec.open.empty()) continue;
      lock.specs[name] = promises_for(spec, {});
      now.emplace(name, std::move(spec));
    }
  }
  lock.paths = {"specs"};
  lock.accepted.push_back({"\"quoted\"\n", {"one", "two"}});
  Budget budget;
  const Lock again = read_lock("lock.json", lock_text(lock), budget);
  CHECK(lock_text(again) == lock_text(lock));
  CHECK(again.specs == lock.specs);
  CHECK(lock.specs.size() > std::size_t{effort(40, 13)});
  CHECK(compare_with_lock(again, now, {}, true).count(Outcome::kPass) > lock.specs.size());
  for (const Check& check : compare_with_lock(again, now, {}, true).list) CHECK(check.outcome == Outcome::kPass);
}
