// Every result that the program can make, written as JSON and read back, says the same in every format.
#include <doctest/doctest.h>

#include <filesystem>

#include "reports/formats.h"
#include "reports/text.h"
#include "runs/exhaustive.h"
#include "runs/verify.h"
#include "tests/support/random_model.h"
#include "tests/support/read_back.h"

using namespace oddsbound;
using oddsbound::testing::read_back;

namespace {

std::vector<std::string> specs_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(ODDSBOUND_SOURCE_DIR "/" + folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void check_round_trip(const Report& run) {
  const Report read = read_back(run);
  const std::string json = to_json(run);
  CHECK(to_json(read) == json);
  const Checks before = checks_of(run, run.exit_status()), after = checks_of(read, run.exit_status());
  for (const Format& format : formats()) {
    CAPTURE(format.name);
    CHECK(format.of_report(read, after, {true}) == format.of_report(run, before, {true}));
  }
}

}  // namespace

TEST_CASE("what verify and analyze say is read back without loss") {
  for (const char* folder : {"specs/gallery", "tests/cli/specs"}) {
    for (const std::string& file : specs_in(folder)) {
      CAPTURE(file);
      EvaluateOptions options;
      options.limits.max_cells = 4096;
      options.figures = true;
      const Report run = evaluate_files(std::vector{file}, options);
      check_round_trip(run);
      CHECK(text_verification(read_back(run), {}) == text_verification(run, {}));
      CHECK(text_analysis(read_back(run), {}) == text_analysis(run, {}));
      options.figures = false;
      options.tradeoffs = true;
      options.decide_claims = false;
      check_round_trip(evaluate_files(std::vector{file}, options));
    }
  }
}

TEST_CASE("what both engines say is read back without loss") {
  EvaluateOptions options;
  options.engine = Engine::kBoth;
  options.smt.seconds = 5;
  for (const char* name : {"warner", "half-copied", "symbolic-response"}) {
    const std::string file = ODDSBOUND_SOURCE_DIR "/specs/gallery/" + std::string(name) + ".json";
    if (std::filesystem::exists(file)) check_round_trip(evaluate_files(std::vector{file}, options));
  }
}

TEST_CASE("what an exhaustive audit says is read back without loss") {
  ExhaustiveOptions options;
  options.keep_intervals = true;
  for (const char* name : {"warner", "half-copied", "hadamard-response", "duchi-l2-ball"}) {
    CAPTURE(name);
    const std::string file = ODDSBOUND_SOURCE_DIR "/specs/gallery/" + std::string(name) + ".json";
    const Report run = audit_files(std::vector{file}, options, true, Limits());
    check_round_trip(run);
    CHECK(text_audits(read_back(run)) == text_audits(run));
  }
}
