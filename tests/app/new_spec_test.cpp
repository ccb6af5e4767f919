// Specs made from tables: their claims hold, and every fault of a table is reported.

#include <doctest/doctest.h>
#include <algorithm>

#include "app/decide_claim.h"
#include "app/new_spec.h"
#include "app/verify.h"
#include "base/errors.h"
#include "base/files.h"
#include "tests/support/temporary_folder.h"
#include "verifier/exact/expression.h"

using namespace oddsbound;

namespace {

// A temporary folder with one table, and a folder for specs.
struct Folder : testing::TemporaryFolder {
  explicit Folder(const std::string& table) {
    make_directory(file("specs"));
    write_whole(file("t.csv"), table);
  }
};

NewSpecRequest request_for(const Folder& folder, const std::string& epsilon = "1") {
  NewSpecRequest request;
  request.table = folder.file("t.csv");
  request.file = folder.file("specs/s.json");
  request.epsilon = epsilon;
  request.published = true;
  return request;
}

NewSpec made(const NewSpecRequest& request) {
  Budget budget;
  return new_spec(request, budget);
}

std::string complaint(const NewSpecRequest& request) {
  try {
    made(request);
    return "";
  } catch (const SpecError& error) {
    return error.message();
  }
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Returns true if all claims of the spec hold when it is read from its intended path.
bool claims_hold(const NewSpecRequest& request, const NewSpec& spec) {
  write_whole(request.file, spec.text);
  const std::vector<std::string> files{request.file};
  const Report report = evaluate_files(files, {});
  if (report.specs.size() != 1 || report.specs[0].claims.size() != spec.claims) return false;
  return std::all_of(report.specs[0].claims.begin(), report.specs[0].claims.end(),
                     [](const ClaimResult& claim) { return claim.verdict == Verdict::kHolds; });
}

MeasuredLevel level_of(const std::string& text) {
  MeasuredLevel level;
  level.at_least = parse_level(text);
  return level;
}

// Two secrets of four people: a = b for three of them.
const std::string kTable = "a,b\n0,0\n0,0\n0,1\n1,1\n";

}  // namespace

TEST_CASE("a table becomes a spec whose claims hold, found from where the spec stands") {
  const Folder folder(kTable);
  NewSpecRequest request = request_for(folder, "log(3)");
  request.hidden = {"a"};
  const NewSpec spec = made(request);
  CHECK(spec.attributes == 2);
  CHECK(spec.released == 1);
  CHECK(spec.claims == 4);
  CHECK(spec.notes.empty());
  CHECK(has(spec.text, R"("file": "../t.csv")"));
  CHECK(has(spec.text, R"({"*": {"type": "k_randomized_response", "epsilon": "epsilon"}, "a": "not released"})"));
  // P(answer 1): 1/4 + 1/2 * 1/3 = 5/12 given a=0, 3/4 given a=1. P(answer 0): 7/12 and 1/4.
  CHECK(has(spec.text, R"-("epsilon": {"a": "log(7/3)"}, "tight": true)-"));
  CHECK(claims_hold(request, spec));
}

TEST_CASE("levels that are long to write are claimed rounded up, and no tighter than that") {
  const Folder folder("a,b,c\n0,0,x\n0,0,y\n0,1,z\n1,1,x\n1,0,z\n2,1,y\n");
  const NewSpecRequest request = request_for(folder, "1/3");
  const NewSpec spec = made(request);
  CHECK(has(spec.text, R"("name": "all answers together", "epsilon": "1", "tight": true)"));
  CHECK(has(spec.text, R"-("epsilon": {"a": "log(2*exp(1)/(1 + exp(1/3)))"}, "tight": true)-"));
  CHECK(has(spec.text, R"("epsilon": {"b": "0.484"}})"));
  CHECK(claims_hold(request, spec));
}

TEST_CASE("claims about a table that is not published are rounded up, with headroom, and none is tight") {
  const Folder folder(kTable);
  NewSpecRequest request = request_for(folder, "log(3)");
  request.hidden = {"a"};
  request.published = false;
  // log(7/3) is 0.8473; 5 % above it is 0.88966.
  const NewSpec spec = made(request);
  CHECK(has(spec.text, R"("epsilon": {"a": "0.89"}})"));
  CHECK(has(spec.text, R"-("epsilon": "log(3)", "tight": true)-"));
  CHECK(!has(spec.text, "published"));
  CHECK(claims_hold(request, spec));
  request.headroom = Number(0);
  CHECK(has(made(request).text, R"("epsilon": {"a": "0.848"}})"));
}

TEST_CASE("headroom does not exceed the LDP level, which no table changes") {
  const Folder folder("a,b\n0,0\n1,1\n0,0\n");
  NewSpecRequest request = request_for(folder, "1");
  request.published = false;
  const NewSpec spec = made(request);  // equal columns: both levels are 2, as LDP is
  CHECK(has(spec.text, R"("epsilon": {"a": "2"}})"));
  CHECK(has(spec.text, R"("epsilon": {"b": "2"}})"));
  CHECK(!has(spec.text, "2.1"));
  CHECK(claims_hold(request, spec));
}

TEST_CASE("a level is claimed as it is where that is short, and else above it by less than 1/10000") {
  CHECK(claim_of(level_of("log(3)")).epsilon == "log(3)");
  CHECK(claim_of(level_of("log(3)")).tight);
  CHECK(claim_of(level_of("0")).epsilon == "0");
  CHECK(claim_of(level_of("inf")).epsilon == "inf");
  for (const std::string text :
       {"log(123456789123456789/100000000000000003)", "log(1000000000000000000003/1000000000000000000002)",
        "log(2000000000000000000000000000000001/1999999999999999)"}) {
    const MeasuredClaim claim = claim_of(level_of(text));
    const Level claimed = parse_level(claim.epsilon), level = parse_level(text);
    CHECK(claimed > level);
    CHECK(claimed < level + parse_level("1/10000"));
    CHECK(!claim.tight);
  }
  MeasuredLevel stopped = level_of("0");
  stopped.unfinished = {parse_level("7/2"), "a limit"};
  CHECK(claim_of(stopped).epsilon == "7/2");
  stopped.unfinished->at_most = parse_level("1772439/200000");
  CHECK(claim_of(stopped).epsilon == "8.8622");
  CHECK(!claim_of(stopped).tight);
}

TEST_CASE("columns are attributes, counts, or left out") {
  const Folder folder("id,a,b,n\n1,x,0,2\n2,y,1,3\n3,x,1,0\n");
  NewSpecRequest request = request_for(folder);
  request.columns = {"b"};
  request.hidden = {"a"};
  request.count = "n";
  NewSpec spec = made(request);
  CHECK(spec.attributes == 2);
  CHECK(!has(spec.text, "id"));
  CHECK(has(spec.text, R"("count": "n")"));
  CHECK(claims_hold(request, spec));
  request.count.clear();
  request.columns.clear();
  spec = made(request);
  CHECK(spec.attributes == 4);
  REQUIRE(spec.notes.size() == 2);
  CHECK(has(spec.notes[0], "the table is sparse: it has "));
  CHECK(has(spec.notes[1], "--count"));
  request.count = "a";
  CHECK(has(complaint(request), "cannot be an attribute as well"));
  request.count = "m";
  CHECK(has(complaint(request), "no column 'm'"));
}

TEST_CASE("an attribute that is called as all others are leaves nobody out") {
  const Folder folder("a,*\n0,0\n1,0\n1,1\n");
  const NewSpecRequest request = request_for(folder);
  CHECK(claims_hold(request, made(request)));
}

TEST_CASE("blank cells are refused, dropped, or a value, and counted") {
  const Folder folder("a,b\nx,0\n,1\ny,1\n");
  NewSpecRequest request = request_for(folder);
  CHECK(has(complaint(request), "blank cells, in people: a 1"));
  request.blank = BlankCells::kValue;
  NewSpec spec = made(request);
  CHECK(has(spec.text, R"("missing": "value")"));
  REQUIRE(spec.notes.size() == 1);
  CHECK(spec.notes[0] == "blank cells are a value of their own, 'missing' (in people: a 1)");
  CHECK(claims_hold(request, spec));
  request.blank = BlankCells::kDropped;
  spec = made(request);
  CHECK(has(spec.text, R"("missing": "drop")"));
  REQUIRE(spec.notes.size() == 1);
  CHECK(spec.notes[0] == "1 of 3 people has a blank cell and is left out (in people: a 1)");
  CHECK(claims_hold(request, spec));
}

TEST_CASE("cells of white space are blank, and one value with empty ones") {
  const Folder folder("a,b\nx,0\n ,1\n,1\n\xc2\xa0\t,0\ny,1\ny,0\n");
  NewSpecRequest request = request_for(folder);
  CHECK(has(complaint(request), "blank cells, in people: a 3"));
  request.blank = BlankCells::kValue;
  NewSpec spec = made(request);
  CHECK(has(spec.text, R"("missing": {"as": "missing"})"));
  CHECK(claims_hold(request, spec));
  Budget budget;
  CHECK(read_spec(request.file, budget).model.domain.coordinate(0).values ==
        std::vector<std::string>{"missing", "x", "y"});
  request.blank = BlankCells::kDropped;
  spec = made(request);
  CHECK(claims_hold(request, spec));
  CHECK(read_spec(request.file, budget).model.domain.coordinate(0).values == std::vector<std::string>{"x", "y"});
}

TEST_CASE("blank cells of columns that are no attributes do not count, and people do") {
  const Folder folder("a,b,c,n\nx,0,,3\n,1,,2\ny,1,,4\n");
  NewSpecRequest request = request_for(folder);
  request.columns = {"a", "b"};
  CHECK(has(complaint(request), "in people: a 1"));
  request.count = "n";
  CHECK(has(complaint(request), "in people: a 2"));
  request.columns = {"b"};
  CHECK(complaint(request).empty());
}

TEST_CASE("a value that few people have and that sets a level is named, and no count is in the spec") {
  std::string table = "a,b\n,0\n";
  for (int i = 0; i < 60; ++i) table += std::string(i % 2 == 0 ? "x" : "y") + "," + std::to_string(i % 3 == 0) + "\n";
  const Folder folder(table);
  NewSpecRequest request = request_for(folder);
  request.blank = BlankCells::kValue;
  NewSpec spec = made(request);
  REQUIRE(spec.notes.size() == 2);
  CHECK(has(spec.notes[1], "bcdp a by 'missing' (1 person)"));
  CHECK(!has(spec.notes[1], "bcdp b"));
  CHECK(!has(spec.text, "person"));
  request.blank = BlankCells::kDropped;
  spec = made(request);
  CHECK(spec.notes.size() == 1);
}

TEST_CASE("cells that other programs call missing are values, and a note counts them") {
  const Folder folder("a,b,n\nx,?,3\nNA,y,2\nx,y,1\nx,n,9\n");
  NewSpecRequest request = request_for(folder);
  request.count = "n";
  const NewSpec spec = made(request);
  REQUIRE(spec.notes.size() == 1);
  CHECK(has(spec.notes[0], "a 'NA' 2, b '?' 3"));
  CHECK(!has(spec.text, "missing"));
}

TEST_CASE("names that every row has one of are told, and too many values are refused") {
  std::string table = "id,a\n";
  for (int i = 0; i < 30; ++i) table += std::to_string(i) + "," + std::to_string(i % 2) + "\n";
  const Folder folder(table);
  NewSpecRequest request = request_for(folder);
  const NewSpec spec = made(request);
  REQUIRE(spec.notes.size() == 2);
  CHECK(has(spec.notes[0], "bcdp id by '"));
  CHECK(has(spec.notes[1], "'id'"));
  request.max_values = 29;
  CHECK(has(complaint(request), "every row has another value of the column 'id', as identifiers have"));
  request.excluded = {"id"};
  CHECK(made(request).attributes == 1);
  request.columns = {"id"};
  CHECK(has(complaint(request), "'id' is excluded"));
}

TEST_CASE("what is no table, or is asked of none, is refused") {
  const auto of_table = [](const std::string& table) {
    const Folder folder(table);
    return complaint(request_for(folder));
  };
  CHECK(has(of_table(""), "empty"));
  CHECK(has(of_table("a,b\n"), "no rows"));
  CHECK(has(of_table("a,a\n0,1\n"), "two columns"));
  CHECK(has(of_table("a,\n0,1\n"), "no name"));
  CHECK(has(of_table("a,b\n0\n"), "the row has 1 cell,"));
  const Folder both("a,b\n,1\nmissing,2\n");
  NewSpecRequest two_missing = request_for(both);
  two_missing.blank = BlankCells::kValue;
  CHECK(has(complaint(two_missing), "cells that read 'missing'"));
  const Folder folder(kTable);
  for (const std::string epsilon : {"0", "-1", "inf", "x", ""}) {
    CHECK(!complaint(request_for(folder, epsilon)).empty());
  }
  NewSpecRequest request = request_for(folder);
  request.hidden = {"a", "b"};
  CHECK(has(complaint(request), "nothing to release"));
  request.hidden = {"aa"};
  CHECK(has(complaint(request), "no column 'aa'"));
  request.hidden.clear();
  request.columns = {"c"};
  CHECK(has(complaint(request), "no column 'c'"));
  request.table = folder.file("none.csv");
  CHECK(!complaint(request).empty());
  request.table = "-";
  CHECK(has(complaint(request), "expected a file"));
}

TEST_CASE("the separator of a table is detected or given, and written to the spec") {
  const Folder folder("id;answer\n1;a,b\n2;c\n");
  NewSpecRequest request = request_for(folder);
  CHECK(made(request).text.find(R"("separator": ";")") != std::string::npos);
  CHECK(made(request).attributes == 2);
  request.separator = ",";
  CHECK(complaint(request).find("the row has 2 cells, the header has 1") != std::string::npos);
  request.separator = "|";
  CHECK_THROWS_WITH_AS(made(request), doctest::Contains("expected ',', ';' or a tab"), ModelError);
}
