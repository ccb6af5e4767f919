#include <doctest/doctest.h>

#include "base/characters.h"
#include "reports/layout.h"
#include "specs/csv.h"
#include "tests/support/hostile_text.h"

using namespace oddsbound;
using namespace oddsbound::reports;
namespace testing = oddsbound::testing;

TEST_CASE("whatever a cell holds is read back from CSV as it was") {
  Budget budget;
  for (const std::string cell : {"", "plain", "a,b", "\"", "two\nlines", "a\r\nb", "'", "=1+1", " ", "\xe2\x80\xae"}) {
    const auto rows = parse_csv("t.csv", csv_cell(cell) + ",x\n", budget);
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].cells == std::vector<std::string>{cell, "x"});
  }
}

TEST_CASE("no cell for people begins as a formula does") {
  const std::string blanks[] = {"",
                                " ",
                                "  ",
                                "\xc2\xa0",
                                "\xe3\x80\x80",
                                "\xe2\x80\x83",
                                "\xe2\x80\x8b",
                                "\xef\xbb\xbf",
                                "\x01",
                                "\xff",
                                " \xe2\x80\x8d "};
  // Plain, full width, small, and the minus of mathematics.
  const std::string signs[] = {"=",
                               "+",
                               "-",
                               "@",
                               "\xef\xbc\x9d",
                               "\xef\xbc\x8b",
                               "\xef\xbc\x8d",
                               "\xef\xbc\xa0",
                               "\xef\xb9\xa6",
                               "\xef\xb9\xa2",
                               "\xef\xb9\xa3",
                               "\xef\xb9\xab",
                               "\xe2\x88\x92"};
  for (const std::string& blank : blanks) {
    for (const std::string& sign : signs) {
      CAPTURE(blank + sign);
      CHECK(csv_cell_for_people(blank + sign + "1").starts_with("'"));
      CHECK(csv_cell_for_people(blank + sign + "1,\"").starts_with("\"'"));
      CHECK_FALSE(csv_cell_for_people(blank + "x" + sign + "1").starts_with("'"));
    }
  }
  for (const std::string begin : {"\t=", "\r=", "\n=", "\tx", "\rx", "\nx"})
    CHECK(csv_cell_for_people(begin).starts_with("'"));
  CHECK(csv_cell_for_people("") == "\"\"");
  CHECK(csv_cell_for_people("age=young") == "age=young");
  CHECK(csv_cell_for_people("age=young, job=none") == "\"age=young, job=none\"");
}

TEST_CASE("a cell for people shows nothing hidden, and a cell of data is as it was") {
  Budget budget;
  auto all = testing::hidden_characters();
  for (auto& one : testing::invalid_bytes()) all.push_back(std::move(one));
  for (const auto& [what, text] : all) {
    CAPTURE(what);
    const std::string cell = csv_cell_for_people("a" + text + "b");
    CHECK(cell == visible("a" + text + "b"));
    const auto rows = parse_csv("t.csv", csv_cell("a" + text + "b") + ",x\n", budget);
    CHECK(rows.at(0).cells == std::vector<std::string>{"a" + text + "b", "x"});
  }
}

// Lines that fit a terminal.

using oddsbound::reports::columns_of;
using oddsbound::reports::wrapped;
using oddsbound::reports::wrapped_lines;

TEST_CASE("lines are cut at spaces, and what is continued stands under its column") {
  CHECK(wrapped("  a  one two three", 12, 5) == "  a  one two\n     three");
  CHECK(wrapped("one two", 7, 0) == "one two");
  CHECK(wrapped("one two", 6, 0) == "one\ntwo");
  CHECK(wrapped("one two", 0, 3) == "one two");
  CHECK(wrapped("", 5, 3).empty());
  CHECK(wrapped("   ", 2, 1) == "   ");
  // An indent of more than half the width would leave no room.
  CHECK(wrapped("one two three", 8, 7) == "one two\n    three");
}

TEST_CASE("a word that does not fit stays whole, on a line of its own") {
  CHECK(wrapped("is `aaaaaaaaaaaa` here", 8, 2) == "is\n  `aaaaaaaaaaaa`\n  here");
  CHECK(wrapped("aaaaaaaaaaaa b", 4, 2) == "aaaaaaaaaaaa\n  b");
}

TEST_CASE("columns are code points, colors take none") {
  CHECK(columns_of("\u2713 \u00e9\u00e9") == 4);
  CHECK(columns_of("\x1b[31mred\x1b[0m") == 3);
  CHECK(wrapped("\u00e9\u00e9\u00e9 \u00e9\u00e9\u00e9", 7, 0) == "\u00e9\u00e9\u00e9 \u00e9\u00e9\u00e9");
  CHECK(wrapped("\x1b[1mone\x1b[0m two", 7, 0) == "\x1b[1mone\x1b[0m two");
}

TEST_CASE("every line of a text is continued two columns further in, and cutting twice changes nothing") {
  const std::string text = "name\n  claim one two three\n\n    under it one two";
  const std::string cut = "name\n  claim one\n    two three\n\n    under it\n      one two";
  CHECK(wrapped_lines(text, 13) == cut);
  CHECK(wrapped_lines(cut, 13) == cut);
  CHECK(wrapped_lines(text, 0) == text);
}
