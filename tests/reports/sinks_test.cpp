// Every class of hidden character, in every field of a check, through every format.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/characters.h"
#include "reports/formats.h"
#include "reports/html/page.h"
#include "reports/html/svg.h"
#include "reports/level_fields.h"
#include "reports/markdown.h"
#include "specs/spec_error.h"
#include "tests/support/hostile_text.h"

using namespace oddsbound;
using namespace oddsbound::reports;
using namespace oddsbound::testing;

namespace {

std::vector<std::pair<std::string, std::string>> every_class() {
  auto all = hidden_characters();
  for (auto& one : invalid_bytes()) all.push_back(std::move(one));
  return all;
}

// Checks with `text` in every field that is read from files.
Checks checks_with(const std::string& text) {
  Checks checks;
  checks.exit_status = 1;
  for (const Outcome outcome : {Outcome::kFail, Outcome::kError, Outcome::kUndecided, Outcome::kNote}) {
    Check check;
    check.rule = "ldp";
    check.suite = text + ".json";
    check.title = text;
    check.outcome = outcome;
    check.message = text + " " + text;
    check.place = {text + ".json", 1, 2, "/" + text};
    check.facts = {{text, text}};
    check.certificate = text + ".certificate.json";
    checks.list.push_back(check);
  }
  checks.files.push_back({text + ".json", "hash"});
  return checks;
}

// The hidden characters in a format's output, except its own line ends.
std::string hidden_in(std::string_view text) {
  std::string found;
  while (!text.empty()) {
    const Character character = first_character(text);
    if (character.is_hidden() && text[0] != '\n') found += text.substr(0, character.bytes);
    text.remove_prefix(character.bytes);
  }
  return found;
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("no format shows what is hidden, wherever it stands") {
  for (const auto& [what, bytes] : every_class()) {
    const std::string text = "a" + bytes + "b";
    CAPTURE(what);
    CAPTURE(printable(bytes));
    const Checks checks = checks_with(text);
    for (const Format& format : formats()) {
      if (!format.of_checks) continue;
      CAPTURE(format.name);
      const std::string written = format.of_checks(checks);
      CHECK(printable(hidden_in(written)) == "");
      CHECK(lines_of(written) == lines_of(format.of_checks(checks_with("ab"))));
    }
  }
}

TEST_CASE("a page shows nothing that is hidden") {
  std::string text;
  for (const auto& [what, bytes] : every_class()) text += "a" + bytes;
  const std::string page = html_report({}, checks_with(text), {true});
  CHECK(page.find("\xef\xbf\xbd") != std::string::npos);
  CHECK(printable(hidden_in(page)) == "");
}

TEST_CASE("an annotation is one command for each check, of what it is about") {
  for (const auto& [what, bytes] : every_class()) {
    CAPTURE(what);
    std::istringstream lines(github_annotations(checks_with("::x" + bytes + "::error::%0A,y")));
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
      CHECK((line.starts_with("::error file=") || line.starts_with("::warning file=") ||
             line.starts_with("::notice file=")));
      // The text ends no property and starts no other.
      const std::string properties = line.substr(0, line.find("::", 2));
      CHECK(std::count(properties.begin(), properties.end(), ',') == 3);
      CHECK(line.find("%0A,") == std::string::npos);
    }
    CHECK(count == 4);
  }
}

TEST_CASE("messages of SARIF are text without links") {
  for (const auto& [what, bytes] : every_class()) {
    CAPTURE(what);
    const auto document = nlohmann::json::parse(sarif_report(checks_with("[a" + bytes + "](http://example.org)")));
    for (const auto& result : document["runs"][0]["results"]) {
      const std::string message = result["message"]["text"];
      CHECK(hidden_in(message).empty());
      CHECK(message.find("](") == std::string::npos);
    }
  }
}

TEST_CASE("text that is plain is written as it is") {
  for (const std::string& text : plain_texts()) {
    CAPTURE(text);
    CHECK(escaped_markup(text) == text);
    CHECK(sarif_text(text) == text);
    CHECK(nlohmann::json::parse(reports::json_text({{"label", text}}))["label"] == text);
  }
}

TEST_CASE("JSON has the values as they are, and shows nothing hidden; labels show what may be seen") {
  for (const auto& [what, text] : hidden_characters()) {
    CAPTURE(what);
    const std::string value = "a" + text + "b";
    const std::string written = reports::json_text({{value, value}});
    CHECK(hidden_in(written).empty());
    CHECK(nlohmann::json::parse(written)[value] == value);
    CHECK(nlohmann::json::parse(reports::one_line({{value, value}}))[value] == value);
  }
  const std::vector<std::string> labels = distinct({"a\xe2\x80\xae", "a\xe2\x80\xad", "a"});
  CHECK(labels[0] != labels[1]);
  CHECK(hidden_in(labels[0] + labels[1]).empty());
}
