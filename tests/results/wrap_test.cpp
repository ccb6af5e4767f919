// Lines that fit a terminal.
#include "results/wrap.h"

#include <doctest/doctest.h>

using oddsbound::results::columns_of;
using oddsbound::results::wrapped;
using oddsbound::results::wrapped_lines;

TEST_CASE("lines are cut at spaces, and what is continued stands under its column") {
  CHECK(wrapped("  a  one two three", 12, 5) == "  a  one two\n     three");
  CHECK(wrapped("one two", 7, 0) == "one two");
  CHECK(wrapped("one two", 6, 0) == "one\ntwo");
  CHECK(wrapped("one two", 0, 3) == "one two");
  CHECK(wrapped("", 5, 3).empty());
  CHECK(wrapped("   ", 2, 1) == "   ");
  // An indent of more than half of the width would leave no room.
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
