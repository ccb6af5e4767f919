// Releases by the public interface.
#include <doctest/doctest.h>

#include <fstream>

#include "releases/api.h"
#include "specs/reading.h"
#include "tests/support/temporary_folder.h"

using namespace oddsbound;
using oddsbound::testing::TemporaryFolder;

TEST_CASE("releases tell numbers and what they cost, remember what was spent, and read no table past the budget") {
  const File file{ODDSBOUND_SOURCE_DIR "/specs/releases/survey.release.json"};
  const TemporaryFolder folder;
  ReleaseRequest request;
  request.table = ODDSBOUND_SOURCE_DIR "/specs/releases/data/people.csv";
  request.seed = 7;
  request.spent = folder.file("spent.json");
  const Expected<ReleaseResult> first = release(file, request);
  REQUIRE(first);
  CHECK(first->exit_status() == 0);
  CHECK(first->people == 500U);
  REQUIRE(first->steps[0].numbers);
  CHECK(first->steps[0].numbers->size() == 8);
  CHECK(render(*first, "text") == text_release(*first));
  CHECK(render(*first, "csv") == csv_release(*first));
  CHECK(render(*first, "html", {true, false, std::nullopt})->find("NOT private") != std::string::npos);
  CHECK(!render(*first, "sarif"));
  const auto again = read_result(Text{*render(*first, "json")});
  REQUIRE(again);
  CHECK(to_json(std::get<ReleaseResult>(*again)) == to_json(*first));
  // Of ill: 1/8 allowed, 1/8 spent. A second time is too much, and nothing is added for what was not told.
  request.table = "no-such-table.csv";
  for (int time = 0; time < 2; ++time) {
    const Expected<ReleaseResult> second = release(file, request);
    REQUIRE(second);
    CHECK(second->exit_status() == 1);
    CHECK_FALSE(second->people);
    CHECK(second->ledger[0].pure == parse_level("5/4"));
  }
  const Expected<std::string> spec = release_spec(file, 1, 0, ODDSBOUND_SOURCE_DIR "/specs/releases");
  REQUIRE(spec);
  const auto read_back = read(Text{*spec, "survey-1.json", ODDSBOUND_SOURCE_DIR "/specs/releases"});
  REQUIRE(read_back);
  CHECK(verify(*read_back).exit_status() == 0);
  CHECK(release(File{"no-such.release.json"}).error().place.file == "no-such.release.json");
}

TEST_CASE("a spec of which of two tables a release is from claims what the ledger says of what differs") {
  const std::string folder = ODDSBOUND_SOURCE_DIR "/audits/specs/tables";
  const std::vector<std::string> tables{folder + "/people.csv", folder + "/one-more-is-ill.csv"};
  for (const std::string name : {"counts-laplace", "counts-gaussian", "heavy-hitters", "fitted"}) {
    CAPTURE(name);
    const Expected<std::string> spec =
        release_spec_of_tables(File{folder + "/" + name + ".release.json"}, tables, folder);
    REQUIRE(spec);
    std::ifstream kept(folder + "/" + name + ".json");
    CHECK(*spec == std::string(std::istreambuf_iterator<char>(kept), {}));
    const auto read_back = read(Text{*spec, name + ".json", folder});
    REQUIRE(read_back);
    const Report undecided = verify(*read_back);
    CHECK(undecided.errors.empty());
    CHECK(undecided.exit_status() == 3);
  }
  const File release{folder + "/counts-laplace.release.json"};
  CHECK(release_spec_of_tables(release, {tables[0]}, folder).error().text().find("which of two tables") !=
        std::string::npos);
  CHECK(release_spec_of_tables(release, {tables[0], tables[0]}, folder).error().place.file == tables[0]);
}

TEST_CASE("what was spent keeps its names, however often more is spent") {
  const std::string folder = ODDSBOUND_SOURCE_DIR "/tests/cli/releases/";
  const TemporaryFolder own;
  ReleaseRequest request;
  request.table = folder + "people.csv";
  request.spent = own.file("spent.json");
  for (int release_number = 1; release_number <= 3; ++release_number) {
    const Expected<ReleaseResult> result = release(File{folder + "fine.release.json"}, request);
    REQUIRE(result);
    CHECK(result->ledger[0].pure == parse_level(std::to_string(release_number) + "/2"));
    CHECK(read_file(*request.spent, Limits()).find("before") == std::string::npos);
  }
}
