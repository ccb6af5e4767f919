// Domains, also with more inputs than can be enumerated.

#include <doctest/doctest.h>
#include <array>
#include <set>

#include "base/errors.h"
#include "verifier/model/domain.h"

using namespace oddsbound;

namespace {

Domain domain_of(std::size_t coordinates, std::size_t values) {
  std::vector<Coordinate> all;
  for (std::size_t i = 0; i < coordinates; ++i) {
    Coordinate& coordinate = all.emplace_back(Coordinate{"x" + std::to_string(i), {}});
    for (std::size_t v = 0; v < values; ++v) coordinate.values.push_back(std::to_string(v));
  }
  return Domain(std::move(all));
}

}  // namespace

TEST_CASE("the last coordinate is the fastest") {
  const Domain domain = domain_of(3, 4);
  CHECK(domain.inputs() == 64);
  CHECK(domain.input_count() == Number(64));
  CHECK(domain.stride(0) == 16);
  CHECK(domain.stride(2) == 1);
  CHECK(domain.digit(2 * 16 + 3, 0) == 2);
  CHECK(domain.tuple(2 * 16 + 3) == std::vector<std::string>{"2", "0", "3"});
}

TEST_CASE("a value that stands twice is found, beside its twin and apart from it, among values in order and in none") {
  const auto with = [](std::vector<std::string> values) { return Domain({{"x", std::move(values)}}); };
  for (const std::vector<std::string>& values : {std::vector<std::string>{"a", "a"},
                                                 {"b", "a", "b"},
                                                 {"0", "1", "10", "10"},
                                                 {"1", "10", "2", "1"},
                                                 {"", "a", ""}}) {
    CHECK_THROWS_WITH_AS(with(values), doctest::Contains("twice"), ModelError);
  }
  for (const std::vector<std::string>& values :
       {std::vector<std::string>{"a"}, {"0", "9", "10", "11"}, {"10", "9"}, {"b", "a", "ab"}, {"", "a"}}) {
    CHECK(with(values).inputs() == values.size());
  }
}

TEST_CASE("the names of numbered values are computed and equal those that are written out") {
  const ValueNames numbered = ValueNames::numbered(12);
  ValueNames written;
  for (int v = 0; v < 12; ++v) written.push_back(std::to_string(v));
  CHECK(numbered == written);
  CHECK(written == numbered);
  CHECK(numbered.listed() == written.listed());
  for (const char* name : {"0", "7", "11"}) CHECK(numbered.find(name) == written.find(name));
  for (const char* name : {"", "12", "-1", "+1", "01", "00", " 1", "1 ", "1x", "x", "18446744073709551617"}) {
    CAPTURE(name);
    CHECK(!numbered.find(name));
    CHECK(!written.find(name));
  }
  CHECK(!(numbered == ValueNames::numbered(11)));
  CHECK(!(numbered == ValueNames(std::vector<std::string>(12, "0"))));
  CHECK(!(written == ValueNames{"0"}));
}

TEST_CASE("a domain of 2^32 - 1 numbered values stores no names and lists none") {
  const Domain domain({{"x", ValueNames::numbered(4'294'967'295)}, {"y", {"a", "b"}}});
  CHECK(domain.input_count() == Number(2) * Number(4'294'967'295));
  CHECK(domain.find_value(0, "4294967294") == 4'294'967'294);
  CHECK(!domain.find_value(0, "4294967295"));
  CHECK(domain.tuple(2 * std::uint64_t{4'294'967'294} + 1) == std::vector<std::string>{"4294967294", "b"});
  const std::vector<std::size_t> first{0};
  CHECK(domain.restricted_to(first).values(0) == 4'294'967'295);
  CHECK_THROWS_WITH_AS(domain.coordinate(0).values.listed(), doctest::Contains("--max-inputs 16777216"), LimitError);
  CHECK_THROWS_WITH_AS(domain.inputs(), doctest::Contains("--max-inputs 16777216"), LimitError);
}

TEST_CASE("a domain of 2^62 inputs can be counted, one of 2^63 has an exact size and no numbers") {
  const Domain most = domain_of(62, 2);
  CHECK(most.is_countable());
  CHECK(most.input_numbers() == std::uint64_t{1} << 62);
  const Domain beyond = domain_of(63, 2);
  CHECK(!beyond.is_countable());
  CHECK(beyond.input_count() == Number(2).pow(63));
  CHECK_THROWS_WITH_AS(beyond.inputs(), "the domain has more than 2^62 inputs", LimitError);
  CHECK_THROWS_WITH_AS(beyond.stride(0), "the domain has more than 2^62 inputs", LimitError);
}

TEST_CASE("forty answers of ten values are a domain like any other") {
  const Domain domain = domain_of(40, 10);
  CHECK(domain.input_count() == Number(10).pow(40));
  CHECK(domain == domain_of(40, 10));
  CHECK(domain.find("x17") == 17);
  CHECK(domain.find_value(17, "9") == 9);
  const std::array<std::size_t, 2> some{3, 39};
  CHECK(domain.restricted_to(some).inputs() == 100);
}

// Joined texts of several values: different lists never give the same text.

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
