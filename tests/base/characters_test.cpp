#include "base/characters.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/hostile_text.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

std::vector<std::pair<std::string, std::string>> all_hostile() {
  auto all = hidden_characters();
  for (auto& one : invalid_bytes()) all.push_back(std::move(one));
  return all;
}

// Returns true if the text may be written to a terminal, 8-bit or UTF-8.
bool is_harmless(std::string_view text) {
  while (!text.empty()) {
    const Character character = first_character(text);
    if (character.is_hidden()) return false;
    text.remove_prefix(character.bytes);
  }
  return true;
}

}  // namespace

TEST_CASE("text is read as UTF-8, and a byte that is not is a character of its own") {
  CHECK(first_character("a").code == 'a');
  CHECK(first_character("ä").code == 0xe4);
  CHECK(first_character("€").code == 0x20ac);
  CHECK(first_character("😀").code == 0x1f600);
  CHECK(first_character("😀").bytes == 4);
  for (const auto& [what, bytes] : invalid_bytes()) {
    CAPTURE(what);
    CHECK_FALSE(first_character(bytes).valid);
    CHECK(first_character(bytes).bytes == 1);
  }
}

TEST_CASE("every class of hidden character is written as its bytes on a terminal") {
  for (const auto& [what, text] : all_hostile()) {
    CAPTURE(what);
    const std::string shown = printable("a" + text + "b");
    CHECK(is_harmless(shown));
    CHECK(shown.size() == 2 + 4 * text.size());
    CHECK(printable(shown) == shown);
    const bool is_line = text == "\n" || text == "\t";
    CHECK(printable_lines("a" + text + "b") == (is_line ? "a" + text + "b" : shown));
    CHECK(printable_lines("a" + text + "b", true) == (is_line ? "a" + text + "b" : shown));
  }
  for (const std::string& text : plain_texts()) {
    CHECK(printable(text) == text);
    CHECK(printable_lines(text) == text);
    CHECK(visible(text) == text);
    CHECK(json_escaped("\"" + text + "\"") == "\"" + text + "\"");
  }
  CHECK(printable("\x1b]0;owned\x07") == "\\x1b]0;owned\\x07");
  CHECK(printable(std::string_view("\0", 1)) == "\\x00");
  CHECK(printable(std::string(200, 'a') + "\x1b", 20) == std::string(10, 'a') + "..." + std::string(4, 'a') + "\\x1b");
}

TEST_CASE("of escape sequences only this program's own colors stay, where there are any") {
  CHECK(printable_lines("\x1b[31mred\x1b[0m", true) == "\x1b[31mred\x1b[0m");
  CHECK(printable_lines("\x1b[31mred\x1b[0m") == "\\x1b[31mred\\x1b[0m");
  CHECK(printable_lines("\x1b[8mhidden\x1b[2Jgone", true) == "\\x1b[8mhidden\\x1b[2Jgone");
}

TEST_CASE("no line gives a command to what reads the log of CI") {
  CHECK(printable_lines("::stop-commands::x\n  ::error::y\na::b\n") ==
        "\\x3a:stop-commands::x\n  \\x3a:error::y\na::b\n");
  CHECK(printable_lines("##[error]x\n##vso[task]\na ##b") == "\\x23#[error]x\n\\x23#vso[task]\na ##b");
  CHECK(printable_lines("\x1b[1m::error::x", true) == "\x1b[1m\\x3a:error::x");
}

TEST_CASE("every class of hidden character becomes a mark where text is shown by others") {
  const std::string mark = "\xef\xbf\xbd";
  for (const auto& [what, text] : all_hostile()) {
    CAPTURE(what);
    const std::string shown = visible("a" + text + "b");
    CHECK(is_harmless(shown));
    if (text == "\n" || text == "\t") {
      CHECK(shown == "a b");
    } else {
      CHECK(shown.starts_with("a" + mark));
      CHECK(shown.ends_with(mark + "b"));
    }
  }
}

TEST_CASE("hidden characters in JSON are escaped, and are the same values") {
  CHECK(json_escaped("{\n  \"a\": \"\xe2\x80\xae\"\n}") == "{\n  \"a\": \"\\u202e\"\n}");
  CHECK(json_escaped("\"\x7f\xc2\x9b\xd8\x9c\"") == "\"\\u007f\\u009b\\u061c\"");
  CHECK(json_escaped("\"\xf3\xa0\x80\xa0\"") == "\"\\udb40\\udc20\"");
  CHECK(json_escaped("\"\\\\\xe2\x80\xae\"") == "\"\\\\\\u202e\"");
  for (const auto& [what, text] : hidden_characters()) {
    CAPTURE(what);
    if (text[0] > 0x1f || text[0] < 0) CHECK(is_harmless(json_escaped("\"" + text + "\"")));
  }
}
