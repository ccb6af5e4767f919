// Audits of running samplers in one process, from the request to the written result, without the command line.

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "app/exhaustive.h"
#include "app/statistical.h"
#include "base/files.h"
#include "reports/formats.h"
#include "reports/text.h"
#include "tests/support/read_back.h"
#include "tests/support/temporary_folder.h"

using namespace oddsbound;
using oddsbound::testing::read_back;
using oddsbound::testing::TemporaryFolder;

namespace {

const std::string kSource = ODDSBOUND_SOURCE_DIR;

AuditRequest request_for(const std::string& spec, std::uint64_t samples) {
  AuditRequest request;
  request.spec = kSource + "/" + spec;
  request.options.samples = samples;
  request.options.seed = 1;
  request.seed_given = true;
  return request;
}

Report run_one(const AuditRequest& request) { return run_audits(std::span(&request, 1), Limits()); }

// The JSON without the fields that differ from run to run.
nlohmann::ordered_json without_times(const std::string& text) {
  auto json = nlohmann::ordered_json::parse(text);
  for (auto& audit : json.at("audits")) audit.erase("seconds");
  return json;
}

// Checks that every format reports what the audit found.
void check_written(const Report& run) {
  REQUIRE(run.audits.size() == 1);
  REQUIRE(run.errors.empty());
  const AuditResult& audit = run.audits[0];
  CHECK(text_audits(run).find(audit.name) != std::string::npos);
  const Report report = read_back(run);
  REQUIRE(report.audits.size() == 1);
  CHECK(report.audits[0].verdict() == audit.verdict());
  CHECK(report.audits[0].ok() == audit.ok());
  CHECK(text_audits(report) == text_audits(run));
  CHECK(to_json(report) == to_json(run));
  const Checks checks = checks_of(report, run.exit_status());
  for (const Format& format : formats()) {
    CAPTURE(format.name);
    const std::string page = format.of_report(report, checks, {true});
    if (format.name == "registry") {  // its records are about specs
      CHECK(page == "# The report has no result of a spec.\n");
      continue;
    }
    if (format.name != "github" || run.exit_status() != 0) CHECK(page.find(audit.name) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("audits of built-in samplers pass, and every format says what they found") {
  for (const char* spec : {"specs/gallery/warner.json", "specs/gallery/half-copied.json",
                           "specs/gallery/duchi-l2-ball.json", "specs/gallery/high-low.json"}) {
    CAPTURE(spec);
    AuditRequest request = request_for(spec, 20'000);
    request.options.all_levels = true;
    const Report run = run_one(request);
    CHECK(run.exit_status() == 0);
    check_written(run);
  }
}

TEST_CASE("an audit of more inputs than can be tried says which it tried, and passes for these alone") {
  AuditRequest request = request_for("specs/large/hundred-days.json", 5'000);
  Report run = run_one(request);
  check_written(run);
  CHECK(run.exit_status() == 3);
  CHECK(run.audits[0].verdict() == "passes for the inputs tried");
  const auto& inputs = run.audits[0].statistical()->inputs;
  REQUIRE(inputs);
  CHECK(inputs->of == Number(2).pow(100));
  CHECK(inputs->tried.witness >= 2);
  CHECK(inputs->tried.given_labels > 1000);
  request.expect = Expectation::kPassesForTried;
  run = run_one(request);
  check_written(run);
  CHECK(run.exit_status() == 0);
  // The expectation "passes for all tried inputs" is met if all inputs were tried.
  request = request_for("specs/gallery/warner.json", 5'000);
  request.expect = Expectation::kPassesForTried;
  CHECK(run_one(request).exit_status() == 0);
}

TEST_CASE("an audit that may stop at any time keeps the history of its evidence") {
  AuditRequest request = request_for("tests/cli/specs/coin.json", 20'000);
  request.until = true;
  const Report run = run_one(request);
  check_written(run);
  CHECK(!run.audits[0].statistical()->history.empty());
}

TEST_CASE("recorded runs are audited, those of a leaking program contradict the claim") {
  AuditRequest request = request_for("specs/gallery/warner.json", 0);
  request.transcript = kSource + "/tests/cli/data/transcript.csv";
  Report run = run_one(request);
  check_written(run);
  CHECK(run.exit_status() == 0);
  request.transcript = kSource + "/tests/cli/data/transcript-leaking.csv";
  run = run_one(request);
  check_written(run);
  CHECK(run.exit_status() == 1);
  CHECK(run.audits[0].verdict() == "contradicted");
  auto lies = nlohmann::ordered_json::parse(to_json(run));
  lies["audits"][0]["verdict"] = "passes";
  CHECK_THROWS_AS(read_back(lies.dump()), SpecError);
}

TEST_CASE("plans run programs: a fault is caught, its mended twin passes, what cannot be run is said") {
  for (const char* plan : {"bit-swapped", "bit-swapped-mended", "wrong-epsilon", "never-lies-about-one"}) {
    CAPTURE(plan);
    Budget budget;
    const Report run = run_one(read_plan(kSource + "/audits/plans/" + plan + ".json", budget));
    CHECK(run.exit_status() == 0);
    check_written(run);
  }
  AuditRequest request = request_for("tests/cli/specs/coin.json", 20'000);
  for (const char* program : {"no-such-program", "false", "cat"}) {
    CAPTURE(program);
    request.program = program;
    const Report run = run_one(request);
    CHECK(run.exit_status() == 2);
    REQUIRE(run.audits.size() == 1);
    CHECK(bool(run.audits[0].statistical()->interrupted));
    CHECK(read_back(run).audits[0].failed());
  }
}

TEST_CASE("shards of an audit add up to the audit") {
  const TemporaryFolder folder;
  AuditRequest request = request_for("specs/gallery/half-copied.json", 60'000);
  const Report whole = run_one(request);
  std::vector<std::string> parts;
  request.options.shards = 3;
  for (std::uint64_t shard = 0; shard < 3; ++shard) {
    request.options.shard = shard;
    parts.push_back(folder.file("part-" + std::to_string(shard) + ".json"));
    write_whole(parts.back(), run_part(request, Limits()));
  }
  Report merged;
  merged.kind = Report::Kind::kStatistical;
  merged.made_with = whole.made_with;
  merged.audits.push_back(merge_parts(parts, Limits()));
  check_written(merged);
  CHECK(without_times(to_json(merged)) == without_times(to_json(whole)));
  parts.pop_back();
  CHECK_THROWS_AS(merge_parts(parts, Limits()), SpecError);
}

TEST_CASE("the reason is named why independence was not tested") {
  const auto reason = [](const std::string& body) {
    AuditRequest request = request_for("specs/gallery/warner.json", 1000);
    request.program =
        "python3 -c \"import json, sys\nfor line in sys.stdin:\n  n = json.loads(line)['count']\n  " + body + "\"";
    const Report run = run_one(request);
    REQUIRE(run.audits.size() == 1);
    return run.audits[0].statistical()->dependence_untested;
  };
  CHECK(reason("sys.exit(1)") == "no runs were completed");
  CHECK(reason("print(json.dumps({'counts': {'yes': n}}), flush=True)") ==
        "the program gives counts, which have no order");
  CHECK(reason("print(json.dumps({'outputs': ['yes'] * n}), flush=True)").empty());
}

TEST_CASE("stated probabilities have decimals beside them") {
  AuditRequest request = request_for("specs/gallery/warner.json", 1000);
  request.program =
      "python3 -c \"import json, sys\nfor line in sys.stdin:\n  print(json.dumps({'counts': {'yes': "
      "json.loads(line)['count']}}), flush=True)\"";
  CHECK(text_audits(run_one(request)).find("stated 1/4 = 0.25\n") != std::string::npos);
}
