#include <doctest/doctest.h>

#include "releases/result.h"
#include "releases/run.h"
#include "releases/step.h"
#include "specs/json_document.h"
#include "verifier/exact/expression.h"

using namespace oddsbound;

namespace {

LedgerEntry entry_of(const std::vector<std::uint64_t>& values, const Level& pure, const Number& rho) {
  LedgerEntry entry;
  entry.values = values;
  entry.pure = pure;
  entry.rho = rho;
  return entry;
}

}  // namespace

TEST_CASE("bits are the least of rho, loss tanh(loss/2) and the logarithm of the values, rounded up") {
  // Two counts of loss 1/8 each: rho is 2 * 1/8 * tanh(1/16) = 0.0156046... nats.
  Loss counts = pure_loss(parse_level("1/8"));
  counts += counts;
  CHECK(bits_at_most(entry_of({3}, counts.pure, counts.rho)) == "0.0225129");
  // rho 4 of steps with declared losses per attribute, loss 2: 2 tanh(1) = 1.5231883... nats is smaller.
  CHECK(bits_at_most(entry_of({1024}, parse_level("2"), Number(4))) == "2.1975");
  // No bound on the loss: rho 1/2 is 0.72134752... bits.
  CHECK(bits_at_most(entry_of({2, 2}, Level::infinite(), Number::ratio(1, 2))) == "0.721348");
  CHECK(bits_at_most(entry_of({2}, Level(), Number(0))) == "0");
}

TEST_CASE("no more bits are told than values have, exactly for powers of 2") {
  CHECK(bits_at_most(entry_of({2}, Level::infinite(), Number(100))) == "1");
  CHECK(bits_at_most(entry_of({2, 4, 8}, Level::infinite(), Number(100))) == "6");
  CHECK(bits_at_most(entry_of({3}, Level::infinite(), Number(100))) == "1.58497");
  // log2(3) + 3 + log2(5) = 6.9068905...
  CHECK(bits_at_most(entry_of({3, 8, 5}, Level::infinite(), Number(100))) == "6.9069");
  CHECK(bits_at_most(entry_of(std::vector<std::uint64_t>(70, 2), Level::infinite(), Number(100))) == "70");
}

TEST_CASE("a step may list some things and count others") {
  ReleaseResult result;
  result.people = 10;
  result.steps = {{"a step", {}, {}, std::vector<ReleasedNumber>{{"listed", {}, {}}, {"counted", 4, 12.0}}}};
  CHECK(text_release(result).find("  listed\n  counted  4  +-12 (95 % interval)\n") != std::string::npos);
}

TEST_CASE("a result whose figures cannot be told is refused") {
  const auto read = [](const std::string& values, const std::string& pure, const std::string& rho) {
    Budget budget;
    const std::string text =
        R"({"file": "f", "name": "n", "seed": null, "steps": [], "ledger": [{"of": "a", "attributes": ["a"],
      "values": )" +
        values + R"(, "pure": ")" + pure + R"(", "rho": ")" + rho + R"(", "at": [], "exceeded": false}]})";
    return release_from_json(JsonDocument("told.json", text), budget);
  };
  CHECK(bits_at_most(read("[2]", "1", "100").ledger[0]) == "0.666695");
  CHECK_THROWS_WITH_AS(read("[0]", "1", "1"), doctest::Contains("/ledger/0/values: found an attribute with 0 values"),
                       SpecError);
  CHECK_THROWS_WITH_AS(read("[2]", "log(1 + sqrt(2))", "1"), doctest::Contains("/ledger/0/pure"), SpecError);
  CHECK_THROWS_WITH_AS(read("[2]", "1", "-1"), doctest::Contains("/ledger/0/rho"), SpecError);
}

TEST_CASE("a release's CSV has a row for every number, and nothing of steps that told none") {
  ReleaseResult result;
  result.people = 10;
  result.steps = {{"before: a step of last year"},
                  {"lists", {}, {}, std::vector<ReleasedNumber>{{"a=1, b=2", {}, {}}}},
                  {"found none", 751, {"from 751 people on"}, std::vector<ReleasedNumber>{}},
                  {"counts", {}, {}, std::vector<ReleasedNumber>{{"@a=1", -3, 12.0}, {"b", 4, {}}}}};
  CHECK(csv_release(result) ==
        "step,about,number,margin_95,random\n2,\"a=1, b=2\",,,system\n4,'@a=1,-3,12,system\n4,b,4,,system\n");
  result.seed = 1;
  CHECK(csv_release(result).find("4,b,4,,seeded: NOT private\n") != std::string::npos);
  CHECK(text_release(result).find("found none\n  none\n  note: from 751 people on\n") != std::string::npos);
  CHECK(text_release(result).find("last year\n  none") == std::string::npos);
}

TEST_CASE("what a release told and what it costs is read back without loss") {
  Budget budget;
  for (const auto& [file, table] : {std::pair{"survey", "data/people.csv"},
                                    {"frequent", "data/people.csv"},
                                    {"gaussian-bits", ""},
                                    {"census-2020-persons", ""}}) {
    const std::string folder = ODDSBOUND_SOURCE_DIR "/specs/releases/";
    ReleaseRequest request;
    request.seed = 3;
    if (*table != 0) request.table = folder + table;
    const ReleaseResult result = releases::run_release(folder + file + ".release.json", request, budget);
    const std::string json = to_json(result);
    const ReleaseResult read = release_from_json(JsonDocument("result.json", json), budget);
    CHECK(to_json(read) == json);
    CHECK(text_release(read) == text_release(result));
    CHECK(csv_release(read) == csv_release(result));
  }
}
