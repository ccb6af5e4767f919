// Audits of running samplers, from a request to what is written: in one process, without the command line.
#include "runs/statistical.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "reports/render.h"
#include "runs/audit_parts.h"

using namespace oddsbound;

namespace {

const std::string kSource = ODDSBOUND_SOURCE_DIR;

class TemporaryFolder {
 public:
  TemporaryFolder() : path_(std::filesystem::temp_directory_path() / ("oddsbound-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

AuditRequest request_for(const std::string& spec, std::uint64_t samples) {
  AuditRequest request;
  request.spec = kSource + "/" + spec;
  request.options.samples = samples;
  request.options.seed = 1;
  request.seed_given = true;
  return request;
}

StatisticalRun run_one(const AuditRequest& request) { return run_audits(std::span(&request, 1), Limits()); }

// The JSON without what differs from run to run.
nlohmann::ordered_json without_times(const std::string& text) {
  auto json = nlohmann::ordered_json::parse(text);
  for (auto& audit : json.at("audits")) audit.erase("seconds");
  return json;
}

// Every format says what the audit found.
void check_written(const StatisticalRun& run) {
  REQUIRE(run.audits.size() == 1);
  REQUIRE(run.errors.empty());
  const StatisticalAudit& audit = run.audits[0];
  const std::string text = text_statistical(run);
  CHECK(text.find(audit.name) != std::string::npos);
  const Report report = report_of(json_statistical(run));
  REQUIRE(report.audits.size() == 1);
  CHECK(report.audits[0].verdict == audit.verdict());
  CHECK(report.audits[0].ok == audit.as_expected());
  REQUIRE(report.audits[0].levels.size() == audit.findings.levels.size());
  for (std::size_t i = 0; i < report.audits[0].levels.size(); ++i) {
    const LevelFinding& found = audit.findings.levels[i];
    const ReportAuditLevel& level = report.audits[0].levels[i];
    CHECK(level.at_least <= found.bound);
    CHECK(level.at_most.has_value() == found.upper.has_value());
    REQUIRE(level.claims.size() == found.claims.size());
    for (std::size_t c = 0; c < level.claims.size(); ++c) {
      CHECK(level.claims[c].contradicted == found.claims[c].contradicted);
    }
  }
  for (const std::string& format : kReportFormats) {
    CAPTURE(format);
    const std::string page = render(report, run.exit_status(), format, {true});
    if (format != "github" || run.exit_status() != 0) CHECK(page.find(audit.name) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("audits of built-in samplers pass, and every format says what they found") {
  for (const char* spec : {"specs/gallery/warner.json", "specs/gallery/half-copied.json",
                           "specs/gallery/duchi-l2-ball.json", "specs/gallery/high-low.json"}) {
    CAPTURE(spec);
    AuditRequest request = request_for(spec, 20'000);
    request.options.all_levels = true;
    const StatisticalRun run = run_one(request);
    CHECK(run.exit_status() == 0);
    check_written(run);
  }
}

TEST_CASE("an audit that may stop at any time keeps the history of its evidence") {
  AuditRequest request = request_for("tests/cli/specs/coin.json", 20'000);
  request.until = true;
  const StatisticalRun run = run_one(request);
  check_written(run);
  CHECK(!run.audits[0].history.empty());
  CHECK(report_of(json_statistical(run)).audits[0].evidence.size() == run.audits[0].history.size());
}

TEST_CASE("recorded runs are audited, those of a leaking program contradict the claim") {
  AuditRequest request = request_for("specs/gallery/warner.json", 0);
  request.transcript = kSource + "/tests/cli/data/transcript.csv";
  StatisticalRun run = run_one(request);
  check_written(run);
  CHECK(run.exit_status() == 0);
  request.transcript = kSource + "/tests/cli/data/transcript-leaking.csv";
  run = run_one(request);
  check_written(run);
  CHECK(run.exit_status() == 1);
  CHECK(run.audits[0].verdict() == "contradicted");
  auto lies = nlohmann::ordered_json::parse(json_statistical(run));
  lies["audits"][0]["verdict"] = "passes";
  CHECK_THROWS_AS(report_of(lies.dump()), SpecError);
}

TEST_CASE("plans run programs: a fault is caught, its mended twin passes, what cannot be run is said") {
  for (const char* plan : {"bit-swapped", "bit-swapped-mended", "wrong-epsilon", "never-lies-about-one"}) {
    CAPTURE(plan);
    Budget budget;
    const StatisticalRun run = run_one(read_plan(kSource + "/audits/plans/" + plan + ".json", budget));
    CHECK(run.exit_status() == 0);
    check_written(run);
  }
  AuditRequest request = request_for("tests/cli/specs/coin.json", 20'000);
  for (const char* program : {"no-such-program", "false", "cat"}) {
    CAPTURE(program);
    request.program = program;
    const StatisticalRun run = run_one(request);
    CHECK(run.exit_status() == 2);
    REQUIRE(run.audits.size() == 1);
    CHECK(!run.audits[0].findings.interrupted.reason.empty());
    CHECK(report_of(json_statistical(run)).audits[0].failed);
  }
}

TEST_CASE("shards of an audit add up to the audit") {
  const TemporaryFolder folder;
  AuditRequest request = request_for("specs/gallery/half-copied.json", 60'000);
  const StatisticalRun whole = run_one(request);
  std::vector<std::string> parts;
  request.options.shards = 3;
  for (std::uint64_t shard = 0; shard < 3; ++shard) {
    request.options.shard = shard;
    parts.push_back(folder.file("part-" + std::to_string(shard) + ".json"));
    write_whole(parts.back(), run_part(request, Limits()));
  }
  StatisticalRun merged;
  merged.audits.push_back(merge_parts(parts, Limits()));
  check_written(merged);
  CHECK(without_times(json_statistical(merged)) == without_times(json_statistical(whole)));
  parts.pop_back();
  CHECK_THROWS_AS(merge_parts(parts, Limits()), SpecError);
}
