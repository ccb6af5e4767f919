// Texts of several values: different lists never share one.
#include <doctest/doctest.h>

#include <set>

#include "verifier/model/joined_values.h"

using namespace oddsbound;

using Lists = std::vector<std::vector<std::string>>;

TEST_CASE("texts of values stay as they are where that is enough") {
  CHECK(joined_values({"a", "b"}, ",") == "a,b");
  CHECK(joined_values({"a,b"}, ",") == "a,b");
  CHECK(joined_values({"a,b", "c"}, ", ") == "\"a,b\", c");
  CHECK(joined_values({"\"a", "b\"c"}, ",") == "\"\"\"a\",b\"c");
  CHECK(joined_lists({{"a", "b,c"}, {"d", "e"}}, ",") == std::vector<std::string>{"a,b,c", "d,e"});
}

TEST_CASE("lists whose plain texts meet are quoted") {
  const Lists lists{{"a", "b,c"}, {"a", "c"}, {"a,b", "b,c"}, {"a,b", "c"}};
  CHECK(joined_lists(lists, ",") == std::vector<std::string>{"a,\"b,c\"", "a,c", "\"a,b\",\"b,c\"", "\"a,b\",c"});
}

TEST_CASE("all lists of two hostile values have different texts") {
  std::vector<std::string> values{""};
  for (std::size_t k = 0; values.size() < 200; ++k) {
    for (const char c : {'a', ',', '"', ' '}) values.push_back(values[k] + c);
  }
  for (const std::string_view separator : {",", ", "}) {
    std::set<std::string> texts;
    for (const std::string& first : values) {
      for (const std::string& second : values) texts.insert(joined_values({first, second}, separator));
    }
    CHECK(texts.size() == values.size() * values.size());
  }
}

TEST_CASE("labels that are there several times are numbered") {
  CHECK(distinct_labels({"a", "b"}) == std::vector<std::string>{"a", "b"});
  CHECK(distinct_labels({"a", "b", "a"}) == std::vector<std::string>{"a #1", "b", "a #2"});
  const std::vector<std::string> labels = distinct_labels({"a", "a", "a #1", "a #1 #1"});
  CHECK(std::set<std::string>(labels.begin(), labels.end()).size() == labels.size());
}
