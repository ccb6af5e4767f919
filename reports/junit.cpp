#include <fmt/format.h>

#include <map>

#include "reports/markup.h"
#include "reports/writers.h"
#include "results/json_parts.h"

namespace oddsbound::reports {

namespace {

std::string attribute(const std::string& name, const std::string& value) {
  return fmt::format(" {}=\"{}\"", name, escaped_markup(value));
}

std::string place_words(const SourcePlace& place) {
  std::string text = place.file;
  if (place.line > 0) text += fmt::format(":{}:{}", place.line, place.column);
  return place.pointer.empty() ? text : text + ": " + place.pointer;
}

// A note passes; what is undecided is an error of its case, so that no viewer shows it as a pass.
std::string case_lines(const Check& check) {
  std::string text = "    <testcase" + attribute("name", check.title) + attribute("classname", check.suite);
  if (!Checks::is_bad(check.outcome)) return text + "/>\n";
  const std::string element = check.outcome == Outcome::kFail ? "failure" : "error";
  return text + ">\n      <" + element + attribute("message", check.message) + attribute("type", check.rule) + ">" +
         escaped_markup(place_words(check.place) + ": " + check.message) + "</" + element + ">\n    </testcase>\n";
}

struct Suite {
  std::string cases;
  std::size_t tests = 0, failures = 0, errors = 0;
};

}  // namespace

std::string junit_report(const Checks& checks) {
  std::vector<std::string> order;
  std::map<std::string, Suite> suites;
  for (const Check& check : checks.list) {
    const auto [place, added] = suites.try_emplace(check.suite);
    if (added) order.push_back(check.suite);
    Suite& suite = place->second;
    suite.cases += case_lines(check);
    ++suite.tests;
    suite.failures += check.outcome == Outcome::kFail ? 1 : 0;
    suite.errors += check.outcome == Outcome::kError || check.outcome == Outcome::kUndecided ? 1 : 0;
  }
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"oddsbound\">\n";
  for (const std::string& name : order) {
    const Suite& suite = suites.at(name);
    text += "  <testsuite" + attribute("name", name) +
            fmt::format(" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\">\n", suite.tests, suite.failures,
                        suite.errors) +
            suite.cases + "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

}  // namespace oddsbound::reports
