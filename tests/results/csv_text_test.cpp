#include "results/csv_text.h"

#include <doctest/doctest.h>

#include "specs/csv.h"

using namespace oddsbound;
using namespace oddsbound::results;

TEST_CASE("whatever a cell holds is read back from CSV as it was") {
  Budget budget;
  for (const std::string cell : {"", "plain", "a,b", "\"", "two\nlines", "a\r\nb", "'", "=1+1", " ", "\xe2\x80\xae"}) {
    const auto rows = parse_csv("t.csv", csv_cell(cell) + ",x\n", budget);
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].cells == std::vector<std::string>{cell, "x"});
  }
}

TEST_CASE("no cell for people begins as a formula does") {
  for (const std::string begin : {"=", "+", "-", "@", "\t=", "\r=", "\n="}) {
    const std::string cell = csv_cell_for_people(begin + "1");
    CHECK(cell.find("'" + begin) == (cell.front() == '"' ? 1 : 0));
  }
  CHECK(csv_cell_for_people("age=young") == "age=young");
  CHECK(csv_cell_for_people("age=young, job=none") == "\"age=young, job=none\"");
}
